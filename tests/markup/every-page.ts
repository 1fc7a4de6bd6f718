import { beforeAll } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import * as messages from "#app/messages.ts";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { addNote } from "#app/owner/orders/notes.server.ts";
import { switchQueueOn } from "#app/owner/queues/queues.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { type Case, paramsOf } from "#tests/fuzz/cases.ts";
import { type Door, doorsOf } from "#tests/fuzz/doors.ts";
import { send } from "#tests/fuzz/send.ts";
import { newWorld, SHOPPERS, type Who, type World } from "#tests/fuzz/world.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { numberAll, setReceipts } from "#tests/support/receipts.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { lagosForm } from "#tests/support/shop.ts";

/** `says`: the reason for the refusal, on pages that refuse a form. */
export type Page = { name: string; html: string; says?: string };

/** Queries that show more of a page than the page alone does. */
const QUERIES: Record<string, [name: string, value: string][]> = {
  "/shop": [["q", "jersey"]],
  "/orders": [["view", "all"]],
  "/products": [["view", "all"]],
};
const DEMO_PRODUCT = "unity-home-jersey";

/**
 * Every page of the shop and of the office as it is sent, for each kind of visitor who may see something different.
 * Made before the file's tests.
 */
export function useEveryPage(): () => Page[] {
  const checkout = useCheckout();
  const apps = useApps(checkout.url, { keepsPages: false });
  const pages: Page[] = [];

  async function look(one: Case, world: World, note = "", says?: string): Promise<void> {
    const { status, headers, text } = await send(one, apps[one.app](), world, "203.0.113.7");
    if (status >= 500) throw new Error(`${one.app} ${one.door}: ${status} ${text.slice(0, 300)}`);
    if (!headers["content-type"]?.startsWith("text/html")) return;
    pages.push({ name: `${one.app} ${one.door} for ${one.who}${note}`, html: text, says });
  }

  beforeAll(async () => {
    const { db } = checkout;
    await seedDemo(db());
    await setReceipts(db());
    const world = await newWorld(checkout);
    await numberAll(db());
    await addNote(db(), OFFICE, world.names.reference, { id: crypto.randomUUID(), text: "Rings twice" });
    await subscribe(db(), "the footer", "ada@example.com");
    const doors = [...(await doorsOf("shop")), ...(await doorsOf("office"))].filter(({ method }) => method === "GET");
    for (const door of doors) {
      const everybody: readonly Who[] = door.app === "shop" ? SHOPPERS : ["nobody", "owner"];
      for (const who of everybody) await look(request(door, who), world);
      const query = QUERIES[door.path];
      if (query)
        await look({ ...request(door, door.app === "shop" ? "nobody" : "owner"), query }, world, ` with ${query}`);
    }
    const product = doors.find(({ path }) => path === "/singleProduct/:id");
    if (product)
      await look({ ...request(product, "nobody"), parts: ["singleProduct", DEMO_PRODUCT] }, world, " (demo)");
    for (const { path, who, fields, says } of REFUSED) {
      const one = request({ app: "shop", method: "GET", path }, who);
      await look({ ...one, method: "POST", body: { kind: "form", fields } }, world, `, refused: ${says}`, says);
    }
    const queue = doors.find(({ path }) => path === "/queue/:id");
    if (queue) {
      const opensAt = new Date(Date.now() + HOUR);
      await switchQueueOn(db(), OFFICE, DEMO_PRODUCT, { opensAt });
      const one = (who: Who) => ({ ...request(queue, who), parts: ["queue", DEMO_PRODUCT] });
      await look(one("nobody"), world);
      await send({ ...one("shopper"), method: "POST", body: { kind: "form", fields: {} } }, apps.shop(), world, "");
      await look(one("shopper"), world, ", in the queue");
    }
  });
  return () => pages;
}

/** Forms that are refused: who sends them, and the sentence with the reason. */
const REFUSED: { path: string; who: Who; fields: Record<string, string>; says: string }[] = [
  { path: "/checkout", who: "shopper", fields: {}, says: messages.form.lookAtMarked },
  { path: "/checkout", who: "shopper", fields: lagosForm, says: "With delivery the total is" },
  { path: "/login", who: "nobody", fields: { email: "a@example.com", password: "x" }, says: messages.login.invalid },
  { path: "/Cart", who: "nobody", fields: { intent: "add", id: DEMO_PRODUCT }, says: messages.cartOther.noSize },
  {
    path: "/account",
    who: "shopper",
    fields: { setting: "name", firstName: "", lastName: "" },
    says: messages.form.required("first name"),
  },
];

function request({ app, path: door }: Door, who: Who): Case {
  const parts = door.split("/").slice(1);
  const named = parts.map((part) => paramsOf(part).map((name) => nameIn(door, name))[0] ?? part);
  return { app, method: "GET", door, parts: named, scripted: false, query: [], who, headers: {} };
}

/** The placeholder for a parameter in an address, so that the page exists. */
function nameIn(path: string, param: string): string {
  if (path.startsWith("/account/addresses")) return "new";
  if (path.startsWith("/customers")) return "{{customer}}";
  if (path.startsWith("/offers")) return "{{offer}}";
  if (path.startsWith("/collections")) return "{{collection}}";
  if (path.startsWith("/size-guides")) return "{{sizeGuide}}";
  if (path.startsWith("/words")) return "about";
  if (path.startsWith("/returns")) return "{{return}}";
  return { id: "{{product}}", reference: "{{reference}}", number: "{{number}}" }[param] ?? "{{uuid}}";
}
