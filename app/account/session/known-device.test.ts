import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { sendLink } from "#app/account/link/request.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { action as changeSetting } from "#app/routes/account.tsx";
import { action as login } from "#app/routes/login.tsx";
import { action as reset } from "#app/routes/reset-password.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { deleteOldDevices } from "./known-device.server.ts";
import { listSessions } from "./store.server.ts";

const database = useDatabase();
const db = () => database.db();
const PASSWORD = "harmony";

beforeEach(() => sql`truncate rate_limits`.execute(db()));

type Owner = { id: string; email: string };
async function newOwner(): Promise<Owner> {
  const { id, email } = await makeShopper(db());
  await savePassword(db(), id, await hashPassword(PASSWORD));
  return { id, email };
}

let networks = 0;
/** Posts to an action, each time from another network. */
async function post(action: typeof login | typeof reset | typeof changeSetting, fields: object, cookie = "") {
  const headers = { cookie, "x-irepo-client": `198.51.100.${networks++ & 255}` };
  const body = new URLSearchParams({ ...fields });
  const request = new Request("http://localhost:3000/", { method: "POST", headers, body });
  const answer = await Promise.resolve(Reflect.apply(action, undefined, [{ request }])).catch((way: unknown) => way);
  if (!(answer instanceof Response)) return { status: answer.init?.status ?? 200, cookie: "" };
  const cookies = answer.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  return { status: answer.status, cookie: cookies.join("; ") };
}

const logIn = ({ email }: Owner, cookie = "", password = PASSWORD) => post(login, { email, password }, cookie);
const markIn = (cookie: string) => /irepo\.device=([\w-]+)/.exec(cookie)?.[1] ?? "";
/** The cookie that stays in a browser after a sign-out. */
const deviceOf = (cookie: string) => `irepo.device=${markIn(cookie)}`;
const devicesOf = ({ id }: Owner) => db().selectFrom("knownDevices").selectAll().where("userId", "=", id).execute();

/** Uses up the account's limit of wrong passwords, as a stranger would. */
async function guessOn(owner: Owner): Promise<void> {
  for (let i = 0; i < 10; i++) await logIn(owner, "", "wrong-one");
  expect((await logIn(owner)).status).toBe(429);
}
const isKnown = async (owner: Owner, cookie: string, password = PASSWORD) =>
  (await logIn(owner, deviceOf(cookie), password)).status === 303;

async function resetBy(owner: Owner, password: string) {
  await sendLink(db(), { id: crypto.randomUUID(), purpose: "reset", email: owner.email });
  const mails = db().selectFrom("outbox").select("data").where("recipient", "=", owner.email);
  const { data } = await mails.where("kind", "=", "reset-password").executeTakeFirstOrThrow();
  return post(reset, { oobCode: new URL(String(data.url)).searchParams.get("oobCode"), password });
}

test("S69 10 after a reset by mail the owner gets in at once, despite strangers' guesses before and after it", async () => {
  const owner = await newOwner();
  await guessOn(owner);
  const done = await resetBy(owner, "melodious");
  expect((await logIn(owner, "", "melodious")).status).toBe(303); // elsewhere, too: wrong tries are forgotten
  await guessOn(owner);
  expect(await isKnown(owner, done.cookie, "melodious")).toBe(true);
});

test("S69 10 each device has its own random mark, which stays the same and is stored as a hash", async () => {
  const owner = await newOwner();
  const [phone, laptop] = [(await logIn(owner)).cookie, (await logIn(owner)).cookie];
  expect(markIn(phone)).toMatch(/^[\w-]{43}$/);
  expect(markIn(laptop)).not.toBe(markIn(phone));
  expect(markIn((await logIn(owner, deviceOf(phone))).cookie)).toBe(markIn(phone));
  const hashes = [phone, laptop].map((cookie) => createHash("sha256").update(markIn(cookie)).digest("hex"));
  const kept = (await devicesOf(owner)).map(({ markHash }) => markHash.toString("hex"));
  expect(kept.toSorted()).toEqual(hashes.toSorted());
});

test("10 wrong passwords on one device use up nothing of another, and a mark is one account's alone", async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const [phone, laptop] = [(await logIn(owner)).cookie, (await logIn(owner)).cookie];
  for (let i = 0; i < 10; i++) await logIn(owner, deviceOf(phone), "wrong-one");
  expect((await logIn(owner, deviceOf(phone))).status).toBe(429);
  expect(await isKnown(owner, laptop)).toBe(true);
  await guessOn(other);
  expect(await isKnown(other, laptop)).toBe(false);
});

test("10 a reset ends every device's mark but the one in which it was done", async () => {
  const owner = await newOwner();
  const { cookie } = await logIn(owner);
  const done = await resetBy(owner, "melodious");
  await guessOn(owner);
  expect([await isKnown(owner, cookie, "melodious"), await isKnown(owner, done.cookie, "melodious")]).toEqual([
    false,
    true,
  ]);
});

test.each([
  ["a new password", { setting: "password", current: PASSWORD, password: "melodious" }, "melodious"],
  ["signing out all other devices", { setting: "sessions" }, PASSWORD],
])("10 %s ends the marks of all others", async (_, fields, password) => {
  const owner = await newOwner();
  const [here, there] = [(await logIn(owner)).cookie, (await logIn(owner)).cookie];
  expect((await post(changeSetting, fields, here)).status).toBe(303);
  await guessOn(owner);
  expect([await isKnown(owner, here, password), await isKnown(owner, there, password)]).toEqual([true, false]);
});

test("10 a device that was signed out from another one is no longer known", async () => {
  const owner = await newOwner();
  const [here, there, third] = [await logIn(owner), await logIn(owner), await logIn(owner)].map((one) => one.cookie);
  const request = new Request("http://localhost:3000/", { headers: { cookie: there ?? "" } });
  const session = (await listSessions(request, owner.id)).find(({ isThis }) => isThis);
  expect((await post(changeSetting, { setting: "sessions", id: session?.id }, here)).status).toBe(303);
  await guessOn(owner);
  expect([await isKnown(owner, there ?? ""), await isKnown(owner, third ?? "")]).toEqual([false, true]);
});

test("10 the twenty last used devices are known, each for a year after its last use", async () => {
  const owner = await newOwner();
  const old = Array.from({ length: 25 }, (_, at) => ({
    markHash: createHash("sha256").update(`${at}`).digest(),
    userId: owner.id,
    usedAt: sql<Date>`now() - ${`${at + 1} hours`}::interval`,
  }));
  await db().insertInto("knownDevices").values(old).execute();
  const { cookie } = await logIn(owner);
  expect(await devicesOf(owner)).toHaveLength(20);
  await db().updateTable("knownDevices").set({ usedAt: sql`now() - interval '365 days'` }).execute();
  await guessOn(owner);
  expect(await isKnown(owner, cookie)).toBe(false);
  await deleteOldDevices(db());
  expect(await devicesOf(owner)).toEqual([]);
});
