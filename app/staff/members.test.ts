import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { renderers } from "#app/staff/emails.tsx";
import { softwareAuthenticator } from "#tests/support/authenticator.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import {
  invite,
  OFFICE,
  officeRequest,
  PASSWORD,
  staffWithPasskey,
  staffWithPassword,
  totpNow,
} from "#tests/support/staff.ts";
import { acceptInvitation } from "./acceptance.server.ts";
import { isOfficeOpenToAll, signInToDemo } from "./demo.server.ts";
import { findInvitation } from "./invitations.server.ts";
import { changeRole, listStaff, removeStaff } from "./members.server.ts";
import { removeRole, saveRole } from "./own-roles.server.ts";
import { listPasskeys, passkeyToMake } from "./passkeys.server.ts";
import { checkPassword } from "./password.server.ts";
import { builtIn, may, PERMISSIONS, type Permission, ROLES } from "./roles.ts";
import { currentStaff } from "./sessions.server.ts";
import { newTotpSecret } from "./totp.server.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...line: string[]) => command(db(), line);
const changes = async () =>
  (await db().selectFrom("auditLog").select(["actor", "door", "action", "subjectId"]).orderBy("id").execute()).map(
    ({ actor, door, action, subjectId }) => [actor, door, action, subjectId].join(" "),
  );

beforeEach(() => sql`truncate staff, audit_log, rate_limits, outbox cascade`.execute(db()));

test.each([
  ["owner", PERMISSIONS],
  ["orders", "look orders packing details service refunds till returns customers export products audit".split(" ")],
  ["packer", ["look", "orders", "packing"]],
  ["bookkeeper", ["look", "orders", "details", "export", "takings", "discounts"]],
  ["catalogue", "look orders details products catalogue discounts prices offers delivery shop audit".split(" ")],
  ["reader", ["look", "orders", "details", "products", "audit"]],
] as const)("%s may %j, and nothing else", (role, granted) => {
  expect(PERMISSIONS.filter((permission) => may(builtIn(role), permission))).toEqual(granted);
});

describe("an invitation", () => {
  test("is a mailed link to the office that is valid once, for 7 days", async () => {
    const { data, text } = await say("staff", "invite", "Ada@Example.com", "orders", "--name", "Ada");
    const { url, expiresAt } = data as { url: string; expiresAt: string };
    expect(data).toMatchObject({ email: "ada@example.com", role: "orders" });
    expect(text).toContain(url);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(6.99 * 86_400_000);
    const mail = await db().selectFrom("outbox").select(["recipient", "kind", "data"]).executeTakeFirstOrThrow();
    expect(mail).toMatchObject({ recipient: "ada@example.com", kind: "staff-invitation" });
    const rendered = await renderers["staff-invitation"]?.(mail.data);
    expect(rendered?.text).toContain(url);
    expect(rendered?.text).toContain("Hello Ada");
    expect(await listStaff(db())).toMatchObject([{ name: "Ada", joinedAt: null, invitedUntil: expiresAt }]);
  });

  test("accepted by passkey signs in, and is used up", async () => {
    const ada = await staffWithPasskey(db());
    expect(await currentStaff(officeRequest(ada.cookies))).toMatchObject({ email: ada.email, name: "Ada Obi" });
    expect(await listStaff(db())).toMatchObject([{ joinedAt: expect.any(String), invitedUntil: null }]);
    expect(await changes()).toEqual([
      `bola command staff invite ${ada.email}`,
      `${ada.email} office staff passkey add ${ada.email}`,
      `${ada.email} office staff accept ${ada.email}`,
    ]);
  });

  test("is accepted by one of two simultaneous requests", async () => {
    const { code, ...invited } = await invite(db());
    const accept = async () => {
      const passkey = softwareAuthenticator(OFFICE).create(await passkeyToMake(db(), invited));
      return acceptInvitation(db(), officeRequest(), code, { name: "Ada", passkey });
    };
    const both = await Promise.all([accept(), accept()]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await listPasskeys(db(), invited.id)).toHaveLength(1);
  });

  test("is void when it has expired, and when a newer one was sent", async () => {
    const { code, email } = await invite(db());
    const newer = await invite(db(), "orders", email);
    expect(await findInvitation(db(), code)).toBeUndefined();
    await sql`update staff_invitations set expires_at = now()`.execute(db());
    expect(await findInvitation(db(), newer.code)).toBeUndefined();
    const secret = newTotpSecret();
    const given = { name: "Ada", password: PASSWORD, secret, code: totpNow(secret) };
    expect(await acceptInvitation(db(), officeRequest(), newer.code, given)).toEqual({ ok: false, why: "gone" });
  });

  test.each([
    ["a passkey of another site", { origin: "https://evil.example" }],
    ["one without a finger, a face or a PIN", { verifies: false }],
  ])("is not accepted with %s, and stays", async (_, odd) => {
    const { code, ...invited } = await invite(db());
    const passkey = softwareAuthenticator(OFFICE).create(await passkeyToMake(db(), invited), odd);
    const accepted = await acceptInvitation(db(), officeRequest(), code, { name: "Ada", passkey });
    expect(accepted).toEqual({ ok: false, why: "wrong" });
    expect(await findInvitation(db(), code)).toBeDefined();
  });

  test("is not accepted with a wrong code", async () => {
    const { code } = await invite(db());
    const given = { name: "Ada", password: PASSWORD, secret: newTotpSecret(), code: "000000" };
    expect(await acceptInvitation(db(), officeRequest(), code, given)).toEqual({ ok: false, why: "wrong" });
  });

  test("of an existing member replaces all ways to sign in", async () => {
    const ada = await staffWithPassword(db());
    const again = await staffWithPasskey(db(), "orders", ada.email);
    expect(again.id).toBe(ada.id);
    expect(await currentStaff(officeRequest(ada.cookies))).toBeUndefined();
    expect(await checkPassword(officeRequest(), ada.email, PASSWORD)).toMatchObject({ why: "wrong" });
  });
});

describe("the last owner", () => {
  const remains = { code: 2, text: expect.stringContaining("is the last owner") };

  test("cannot be removed or lose the role; an owner who has not joined yet does not count", async () => {
    const { email } = await staffWithPasskey(db(), "owner");
    await invite(db(), "owner");
    expect(await say("staff", "remove", email)).toMatchObject(remains);
    expect(await say("staff", "role", email, "reader")).toMatchObject(remains);
    expect(await say("staff", "role", email, "owner")).toMatchObject({ code: 0 });
  });

  test.each([
    ["removed", removeStaff],
    ["given another role", (on, by, email) => changeRole(on, by, email, "reader")],
  ] as [string, typeof removeStaff][])("remains when both are %s at once", async (_, take) => {
    for (let round = 0; round < 3; round++) {
      await sql`truncate staff cascade`.execute(db());
      const owners = [await staffWithPasskey(db(), "owner"), await staffWithPasskey(db(), "owner")];
      const taken = await Promise.allSettled(owners.map(({ email }) => take(db(), OWNER, email)));
      expect(taken.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await listStaff(db())).filter(({ role }) => role === "owner")).toHaveLength(1);
    }
  });
});

test("a new role takes effect at once, and is logged", async () => {
  const ada = await staffWithPasskey(db());
  await say("staff", "role", ada.email, "catalogue");
  expect(await currentStaff(officeRequest(ada.cookies))).toMatchObject({ role: { name: "catalogue" } });
  const row = await db().selectFrom("auditLog").selectAll().where("action", "=", "staff role").executeTakeFirst();
  expect(row).toMatchObject({ actor: "bola", before: { role: "orders" }, after: { role: "catalogue" } });
});

describe("staff", () => {
  test.each([
    [["invite", "ada@example.com", "boss"], "There’s no role 'boss'"],
    [["invite", "ada", "reader"], "'ada' isn't an email address"],
    [["invite", "ada@example.com"], "ROLE is missing"],
    [["role", "nobody@example.com", "reader"], "Nobody of the staff"],
    [["remove", "nobody@example.com"], "Nobody of the staff"],
    [["list", "all"], "isn't expected here"],
    [["fire", "ada@example.com"], "There is no 'staff fire'"],
  ])("%j is bad input", async (line, text) => {
    expect(await say("staff", ...line)).toMatchObject({ code: 2, text: expect.stringContaining(text) });
    expect(await changes()).toEqual([]);
  });

  test("invite, with another role than the member's, says how to change the role", async () => {
    await invite(db(), "orders", "ada@example.com");
    expect(await say("staff", "invite", "ada@example.com", "reader")).toMatchObject({
      code: 2,
      text: expect.stringContaining("'staff role ada@example.com reader'"),
    });
  });

  test("list has each member, the role and the last use", async () => {
    expect((await say("staff", "list")).text).toContain("Nobody yet");
    await invite(db(), "reader", "eze@example.com");
    const { email } = await staffWithPasskey(db(), "owner");
    const { text, data } = await say("staff", "list");
    expect(text).toMatch(
      new RegExp(`^${email}  owner  Ada Obi  last there .*\neze@example.com  reader  -  not joined`),
    );
    expect(data).toMatchObject([{ email, role: "owner" }, { role: "reader" }]);
  });
});

test("in the demo everybody may sign in as its owner, who is created once", async () => {
  expect(isOfficeOpenToAll()).toBe(true);
  const [first, second] = await Promise.all([signInToDemo(officeRequest()), signInToDemo(officeRequest())]);
  const people = await Promise.all([first, second].map(({ cookies }) => currentStaff(officeRequest(cookies))));
  expect(people[0]).toMatchObject({ role: { name: "owner" } });
  expect(people[1]).toEqual(people[0]);
  expect(await changes()).toEqual([expect.stringContaining("staff demo")]);
});

test("each role has a description", async () => {
  const { text } = await say("staff", "invite", "ada@example.com", "boss");
  for (const role of ROLES) expect(text).toContain(`  ${role}: `);
});

describe("a role that an owner creates", () => {
  beforeEach(() => sql`truncate staff_roles cascade`.execute(db()));
  const make = (name: string, permissions: Permission[], was?: string[]) =>
    saveRole(db(), OWNER, { name, permissions }, was);

  test("has the ticked permissions and those that they need, at once, and is logged", async () => {
    await make("Stall", ["packing"]);
    const { cookies } = await staffWithPasskey(db(), "Stall");
    const mine = async () => (await currentStaff(officeRequest(cookies)))?.role;
    expect(await mine()).toMatchObject({ name: "Stall", permissions: ["look", "orders", "packing"] });
    await make("Stall", ["shop"], ["orders", "packing"]);
    expect(await mine()).toMatchObject({ permissions: ["look", "shop"] });
    expect((await say("staff", "list")).text).toContain("  Stall  ");
    expect((await say("staff", "roles")).text).toContain("Stall: change the home page");
    const row = await db().selectFrom("auditLog").selectAll().where("action", "=", "staff role save").execute();
    expect(row.at(-1)).toMatchObject({ before: { may: ["orders", "packing"] }, after: { may: ["shop"] } });
  });

  test.each<[string, string, Permission[], string]>([
    ["has the name of a built-in role", "Packer", ["packing"], "Every shop has a role “Packer”"],
    ["has no name", "", ["packing"], "1 to 40 letters"],
    ["may nothing", "Stall", [], "Tick at least one"],
    ["has only the permission to manage staff, which is the owner’s", "Stall", ["staff"], "Tick at least one"],
    ["is there already", "Books", ["packing"], "There’s a role “Books” already"],
  ])("is refused if it %s", async (_, name, permissions, text) => {
    await make("Books", ["takings"]);
    await expect(make(name, permissions)).rejects.toThrow(text);
  });

  test("is not overwritten if somebody else has changed it meanwhile", async () => {
    await make("Stall", ["packing"]);
    await make("Stall", ["shop"], ["orders", "packing"]);
    await expect(make("Stall", ["export"], ["orders", "packing"])).rejects.toThrow("Somebody else has changed");
  });

  test("can be deleted once nobody has it", async () => {
    await make("Stall", ["packing"]);
    const { email } = await invite(db(), "Stall");
    await expect(removeRole(db(), OWNER, "Stall")).rejects.toThrow(`${email} has the role “Stall”`);
    await say("staff", "role", email, "packer");
    await removeRole(db(), OWNER, "Stall");
    await removeRole(db(), OWNER, "Stall");
    expect(await say("staff", "role", email, "Stall")).toMatchObject({ code: 2 });
  });
});

test("a member's role that has changed since it was shown is not overwritten, and the error has the change", async () => {
  const { email } = await invite(db(), "orders");
  const tunde = { name: "tunde@example.com", door: "office" } as const;
  await changeRole(db(), tunde, email, "catalogue", "orders");
  await expect(changeRole(db(), OWNER, email, "reader", "orders")).rejects.toThrow(
    `tunde@example.com has changed the role of ${email} meanwhile, from 'orders' to 'catalogue'`,
  );
  await changeRole(db(), OWNER, email, "catalogue", "orders"); // the same change once more
  expect(await listStaff(db())).toMatchObject([{ email, role: "catalogue" }]);
});
