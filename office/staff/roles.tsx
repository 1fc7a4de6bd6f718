import { Fragment } from "react";
import { Form } from "react-router";
import { capital } from "#app/infra/text/capital.ts";
import type { Role } from "#app/staff/own-roles.server.ts";
import { GIVABLE, permissionText } from "#app/staff/roles.ts";
import { Field } from "#app/ui/field.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Button } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Hint } from "../frame/page.tsx";

type Problems = Record<string, string>;
type Listed = Role & { members: number };

/** Radio buttons for a member's role. */
export function RoleField({ roles, of, value, error }: { roles: Role[]; of?: string; value: string; error?: string }) {
  return (
    <fieldset>
      <legend className="font-semibold">Role{of && <span className="sr-only"> of {of}</span>}</legend>{" "}
      {roles.map(({ name, says }) => (
        <label key={name} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name="role"
            value={name}
            defaultChecked={name === value}
            className="size-5 flex-none accent-ink"
          />
          <span>
            <span className="font-medium">{name}</span> <span className="text-muted">{says}</span>
          </span>{" "}
        </label>
      ))}
      {error && <p className="text-error">{error}</p>}
    </fieldset>
  );
}

/** All roles with their permissions. Roles that an owner has made can be changed. */
export function Roles({ roles, problems }: { roles: Listed[]; problems: Problems }) {
  return (
    <ul className="border-t border-hairline">
      {roles.map((role) => (
        <li key={role.name} className="border-b border-hairline">
          {role.isOwn ? (
            <details className="group">
              <summary className="grid min-h-14 cursor-pointer grid-cols-[minmax(0,1fr)_1.25rem] items-center gap-x-3 py-2 hover:bg-chosen">
                <RoleLine {...role} />
                <ChevronIcon className="size-5 text-muted group-open:rotate-180" />
              </summary>
              <OwnRole role={role} problems={problems} />
            </details>
          ) : (
            <p className="grid min-h-14 content-center py-2">
              <RoleLine {...role} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function RoleLine({ name, says, members }: Listed) {
  return (
    <span>
      <strong className="font-semibold">{name}</strong>{" "}
      <span className="text-muted tabular-nums">{members > 0 && `(${members})`}</span>{" "}
      <span className="block text-muted">{says}</span>
    </span>
  );
}

function OwnRole({ role: { name, permissions, members }, problems }: { role: Listed; problems: Problems }) {
  const given = GIVABLE.filter((one) => permissions.includes(one));
  return (
    <div className="grid justify-items-start gap-3 pb-6">
      <Form method="post" className="grid justify-items-start gap-3">
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="was" value={given.join(",")} />
        <Permissions of={name} given={given} error={problems.permissions} />
        <Button look="line" name="intent" value="change-role">
          Change the role
        </Button>
      </Form>
      {members === 0 ? (
        <Confirm
          title="Delete the role"
          label={`Delete the role ${name}`}
          question={`Nobody has the role “${name}”. It can’t be brought back, only made anew.`}
          submit="Delete it"
          intent="remove-role"
          fields={{ name }}
        />
      ) : (
        <p className="text-muted">To delete it, give everybody who has it another role first.</p>
      )}
    </div>
  );
}

/** A form that makes a new role. */
export function NewRole({ problems }: { problems: Problems }) {
  return (
    <Form method="post" className="grid gap-4">
      <Field label="Name of the role" name="name" autoComplete="off" maxLength={40} required error={problems.name} />
      <Permissions given={[]} error={problems.permissions} />
      <Button look="line" name="intent" value="make-role">
        Make the role
      </Button>
    </Form>
  );
}

function Permissions({ of, given, error }: { of?: string; given: readonly string[]; error?: string }) {
  return (
    <fieldset>
      <legend className="font-semibold">
        May
        <span className="sr-only">{of ? `, as ${of}` : ", in the new role"}</span>
      </legend>{" "}
      {GIVABLE.map((one) => (
        <Fragment key={one}>
          <label className="tick">
            <input type="checkbox" name="permissions[]" value={one} defaultChecked={given.includes(one)} />
            {capital(permissionText(one))}
          </label>{" "}
        </Fragment>
      ))}
      <Hint className="mt-1">
        What one of them can’t do without is ticked with it. Only owners decide who works here.
      </Hint>
      {error && <p className="text-error">{error}</p>}
    </fieldset>
  );
}
