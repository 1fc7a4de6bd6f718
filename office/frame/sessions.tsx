import { Form } from "react-router";
import type { StaffSession } from "#app/staff/sessions.server.ts";
import { Button } from "./button.tsx";
import { State } from "./state.tsx";
import { Time } from "./times.tsx";

/** The sessions of a member by device, each with a button that ends it. `fields` identify the member in the form. */
export function Sessions({ sessions, fields = {} }: { sessions: StaffSession[]; fields?: Record<string, string> }) {
  if (sessions.length === 0) return <p className="text-muted">Not signed in anywhere.</p>;
  return (
    <ul>
      {sessions.map(({ id, device, createdAt, usedAt, isThis }) => (
        <li key={id} className="flex min-h-14 items-center justify-between gap-3 border-b border-hairline py-1.5">
          <span className="min-w-0">
            <span className="block font-medium">{device}</span>{" "}
            <span className="text-muted">
              since <Time at={new Date(createdAt)} />, used <Time at={new Date(usedAt)} />
            </span>
          </span>{" "}
          {isThis ? (
            <State tone="done">This one</State>
          ) : (
            <Form method="post">
              <input type="hidden" name="intent" value="end-session" />
              <input type="hidden" name="session" value={id} />
              {Object.entries(fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <Button look="line" aria-label={`End the session in ${device}`}>
                End
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
