import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import {
  type BuiltInRole,
  builtIn,
  GIVABLE,
  granted,
  isBuiltIn,
  type Permission,
  permissionText,
  ROLES,
} from "./roles.ts";

/** A role. `says`: its permissions in one line. `isOwn`: whether an owner has made the role, and may change it. */
export type Role = { name: string; says: string; permissions: readonly Permission[]; isOwn: boolean };

/** The value of `staff.role` for members whose role is in `staff.own_role`. */
const OWN = "own";
const LONGEST_NAME = 40;

type Columns = { role: BuiltInRole | typeof OWN; ownRole: string | null; permissions: string[] | null };

/** A member's role, from the columns of staff with those of the joined staff_roles. */
export function roleOf({ role, ownRole, permissions }: Columns): Role {
  if (role !== OWN) return { name: role, ...builtIn(role), isOwn: false };
  return ownRoleOf(ownRole ?? "", permissions ?? []);
}

/** Ignores permissions that this version does not know. */
function ownRoleOf(name: string, permissions: readonly string[]): Role {
  const known = GIVABLE.filter((one) => permissions.includes(one));
  return { name, says: known.map(permissionText).join("; "), permissions: granted(...known), isOwn: true };
}

/** The roles that every shop has, and then those that owners have made. */
export async function listRoles(on: Db | Transaction): Promise<Role[]> {
  const own = await on.selectFrom("staffRoles").selectAll().orderBy("name").execute();
  const every = ROLES.map((name) => ({ name, ...builtIn(name), isOwn: false }));
  return [...every, ...own.map(({ name, permissions }) => ownRoleOf(name, permissions))];
}

/** The role with this name. Throws a BadInput that lists all roles if there is none. */
export async function findRole(on: Db | Transaction, name: string): Promise<Role> {
  const roles = await listRoles(on);
  const role = roles.find((one) => one.name === name);
  if (role) return role;
  const lines = roles.map(({ name, says }) => `  ${name}: ${says}`);
  throw new BadInput([`There’s no role '${name}'. Choose one of`, ...lines].join("\n"));
}

/** The columns of staff for members with this role. */
export function columnsOf({ name }: Role): Pick<Columns, "role" | "ownRole"> {
  return isBuiltIn(name) ? { role: name, ownRole: null } : { role: OWN, ownRole: name };
}

/**
 * Makes a role. With `was`, the permissions that the caller was shown, changes the role instead, for all of its members
 * from their next request on. Throws a BadInput if that is not possible. Safe to repeat.
 */
export function saveRole(
  on: Db,
  by: Actor,
  { name, permissions: wanted }: { name: string; permissions: Permission[] },
  was?: readonly string[],
): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    if (isBuiltIn(name.toLowerCase()) || name.toLowerCase() === OWN)
      throw new BadInput(`Every shop has a role “${name}”: choose another name`);
    if (name === "" || name.length > LONGEST_NAME) throw new BadInput(`A name has 1 to ${LONGEST_NAME} letters`);
    const permissions = granted(...wanted).filter((one) => GIVABLE.includes(one));
    if (permissions.length === 0) throw new BadInput("Tick at least one thing that the role may do");
    const known = await lockedRole(trx, name);
    const before = known && ownRoleOf(name, known.permissions).permissions.filter((one) => GIVABLE.includes(one));
    if (before && String(before) === String(permissions)) return;
    if (before && !was) throw new BadInput(`There’s a role “${name}” already: choose another name`);
    if (was && String(before ?? []) !== String(was))
      throw new BadInput(
        `Somebody else has changed the role “${name}” meanwhile: nothing was changed. Check it and try again`,
      );
    await trx
      .insertInto("staffRoles")
      .values({ name, permissions })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ permissions }))
      .execute();
    const change = { ...(before && { before: { may: before } }), after: { may: permissions } };
    await recordChange(trx, { by, action: "staff role save", subject: { kind: "staff", id: name }, ...change });
  });
}

/** Removes a role that nobody has. Throws a BadInput if somebody has it. Safe to repeat. */
export function removeRole(on: Db, by: Actor, name: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const known = await lockedRole(trx, name);
    if (!known) return;
    const who = await trx.selectFrom("staff").select(["email", "role"]).where("ownRole", "=", name).execute();
    const [first] = who.filter(({ role }) => role === OWN);
    if (first) throw new BadInput(`${first.email} has the role “${name}”: give them another one first`);
    await trx.updateTable("staff").set({ ownRole: null }).where("ownRole", "=", name).execute();
    await trx.deleteFrom("staffRoles").where("name", "=", name).execute();
    const subject = { kind: "staff", id: name };
    await recordChange(trx, { by, action: "staff role remove", subject, before: { may: known.permissions } });
  });
}

/** The role that an owner has made under this name, locked. Undefined if there is none. */
function lockedRole(trx: Transaction, name: string) {
  return trx.selectFrom("staffRoles").select("permissions").where("name", "=", name).forUpdate().executeTakeFirst();
}
