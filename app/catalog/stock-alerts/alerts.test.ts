import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { CLIENT_ADDRESS_HEADER } from "#app/infra/http/network.ts";
import { sendQueuedMail } from "#app/infra/mail.server.ts";
import * as messages from "#app/messages.ts";
import { action, loader } from "#app/routes/back-in-stock.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, setStock } from "#tests/support/shop.ts";
import { deleteOldStockAlerts, requestAlert, sendStockAlerts } from "./alerts.server.ts";
import { renderers } from "./emails.tsx";

const database = useDatabase();
const db = () => database.db();

const mailsTo = (recipient: string) =>
  db()
    .selectFrom("outbox")
    .select(["id", "kind", "data"])
    .where("recipient", "=", recipient)
    .orderBy("createdAt")
    .execute();
const kindsTo = async (recipient: string) => (await mailsTo(recipient)).map(({ kind }) => kind);
const alertsOf = (email: string) => db().selectFrom("stockAlerts").selectAll().where("email", "=", email).execute();

async function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const request = new Request("http://localhost:3000/backInStock", {
    method: "POST",
    headers: { "sec-fetch-dest": "document", ...headers },
    body: new URLSearchParams(fields),
  });
  const args = { request, params: {}, context: {} } as unknown as Parameters<typeof action>[0];
  const answer: unknown = await action(args).catch((thrown: unknown) => thrown);
  if (answer instanceof Response) return { to: answer.headers.get("location") };
  return (answer as { data: unknown }).data;
}

test("5 too many requests of a network wait for turns; one whose turn is too late is refused, and not counted for its address", async () => {
  const id = await makeProduct(db(), { M: 0 });
  const headers = { [CLIENT_ADDRESS_HEADER]: "203.0.113.9" };
  const counted = async () => {
    const { count } = await db()
      .selectFrom("rateLimits")
      .select(db().fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const ask = (times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, at) => post({ id, size: "M", email: `${times}-${at}@example.com` }, headers)),
    );
  await ask(30);
  const before = await counted();
  const answers = await ask(20);
  const refused = answers.filter((answer) => typeof answer === "object" && answer !== null && "problem" in answer);
  expect(refused.length).toBeGreaterThan(5);
  for (const one of refused) expect(one).toMatchObject({ ok: false, problem: messages.form.tooOften });
  expect((await counted()) - before).toBe(answers.length - refused.length);
});

describe("a sold-out product lets a shopper leave an address for each size", () => {
  test("a guest's address is used once its mail's link confirms it, and gets one mail when the size is back", async () => {
    const [id, email] = [await makeProduct(db(), { M: 0, L: 0 }), "stranger@example.com"];
    const image = { hash: "0123456789abcdef0123", width: 1200, height: 1500, alt: "Front", background: "#efe8dc" };
    await sql`update products set images = ${JSON.stringify([image])} where id = ${id}`.execute(db());
    expect(await post({ id, size: "M", email: "Stranger@Example.com" })).toEqual({ to: "/backInStock?sent" });
    expect(await kindsTo(email)).toEqual(["stock-alert-request"]);
    await setStock(db(), id, "M", 3);
    await sendStockAlerts(db());
    expect(await kindsTo(email)).toEqual(["stock-alert-request"]);
    await setStock(db(), id, "M", 0);

    const [mail] = await mailsTo(email);
    const url = new URL(String(mail?.data.url));
    const code = url.searchParams.get("code") ?? "";
    const opened = { request: new Request(url), params: {}, context: {} } as unknown as Parameters<typeof loader>[0];
    expect(loader(opened)).toMatchObject({ code }); // a mail scanner opens the link, which confirms nothing
    expect(await alertsOf(email)).toMatchObject([{ confirmedAt: null }]);
    for (let press = 0; press < 2; press++) expect(await post({ code })).toEqual({ to: "/backInStock?confirmed" });

    await setStock(db(), id, "L", 3);
    await sendStockAlerts(db());
    expect(await kindsTo(email)).toEqual(["stock-alert-request"]);
    await setStock(db(), id, "M", 3);
    await Promise.all([sendStockAlerts(db()), sendStockAlerts(db())]);
    await sendStockAlerts(db());
    expect(await kindsTo(email)).toEqual(["stock-alert-request", "stock-alert"]);
    expect(await alertsOf(email)).toEqual([]);
    expect((await mailsTo(email))[1]?.data.picture).toMatch(/^http.+\/images\/0123456789abcdef0123\/160\.jpg$/);
    for (const { id: mailId } of await mailsTo(email)) await sendQueuedMail(mailId, renderers, db());
    expect(await mailsTo(email)).toEqual([]); // the address is deleted together with its mail
    expect(await post({ code })).toMatchObject({ ok: false });
  });

  test("a verified shopper's own address needs no confirmation; another one does, and earlier requests are not revealed", async () => {
    const id = await makeProduct(db(), { M: 0 });
    const [shopper, other] = [await makeShopper(db()), await makeShopper(db())];
    const cookie = await cookieOf(shopper);
    const ask = (email: string, as = cookie) => post({ id, size: "M", email }, { cookie: as });
    expect(await ask(shopper.email)).toEqual({ to: "/backInStock?confirmed" });
    expect(await ask(shopper.email, "")).toEqual({ to: "/backInStock?sent" });
    expect(await kindsTo(shopper.email)).toEqual([]);
    expect(await alertsOf(shopper.email)).toHaveLength(1);
    expect(await ask(other.email)).toEqual({ to: "/backInStock?sent" });
    expect(await kindsTo(other.email)).toEqual(["stock-alert-request"]);
  });

  test("the address gets that mail only, and no newsletter", async () => {
    const [id, email] = [await makeProduct(db(), { M: 0 }), "no-news@example.com"];
    await requestAlert(db(), { productId: id, size: "M", email }, true);
    expect(await db().selectFrom("subscriptions").selectAll().where("email", "=", email).execute()).toEqual([]);
  });

  test.each([
    ["no address", { email: "ada@" }, { emailProblem: "Please enter a valid email address." }],
    ["no size", { size: "" }, { problem: "Please choose a size first." }],
    ["no such product", { id: "nothing" }, { problem: "Product not found" }],
    ["a size that is in stock", { size: "L" }, { problem: "It’s back in stock: you can buy it now." }],
    ["a wrong code", { code: "a.b" }, { problem: "This link has expired. Please ask again on the product’s page." }],
  ])("%s is refused with its reason", async (_, fields, problem) => {
    const id = await makeProduct(db(), { M: 0, L: 1 });
    const answer = await post({ id, size: "M", email: "ada@example.com", ...fields });
    expect(answer).toMatchObject({ ok: false, ...problem });
  });

  test("it is deleted with its customer, after a week without confirmation, and after a year", async () => {
    const id = await makeProduct(db(), { M: 0, L: 0, S: 0 });
    const { id: userId, email } = await makeShopper(db());
    await requestAlert(db(), { productId: id, size: "M", email }, true);
    expect(await deleteCustomer(db(), userId)).toEqual({ ok: true });
    expect(await alertsOf(email)).toEqual([]);

    const request = (size: string, isProven: boolean) =>
      requestAlert(db(), { productId: id, size, email: "old@example.com" }, isProven);
    await request("M", false);
    await request("L", true);
    await sql`update stock_alerts set created_at = now() - interval '8 days'`.execute(db());
    await request("S", false);
    await deleteOldStockAlerts(db());
    expect((await alertsOf("old@example.com")).map(({ size }) => size).sort()).toEqual(["L", "S"]);
    await sql`update stock_alerts set created_at = now() - interval '13 months'`.execute(db());
    await deleteOldStockAlerts(db());
    expect(await alertsOf("old@example.com")).toEqual([]);
  });

  test("the mails have the piece and its URL", async () => {
    const data = { title: "Home Jersey", size: "M", url: "http://localhost:3000/singleProduct/home" };
    expect(await renderers["stock-alert"]?.(data)).toMatchObject({
      subject: "Home Jersey in M is back",
      text: expect.stringContaining(data.url),
    });
    expect((await renderers["stock-alert-request"]?.({ ...data, size: "ONE" }))?.text).toContain("when Home Jersey is");
  });
});
