import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { newVisitor, type Visitor } from "#tests/support/http-visitor.ts";
import type { Sale } from "../machines/buyers.ts";
import { untilAnswered } from "../machines/processes.ts";

const PLACES = [
  "/",
  "/shop.data?size=M",
  "/shop?q=tee",
  "/singleProduct/rings-tee",
  "/singleProduct/rings-tee.data",
  "/api/products",
  "/api/suggestions?q=rings",
  "/login",
  "/about",
];
/** The address of a script, a style sheet or a picture in a page. */
const FILE = /\/(?:assets|images)\/[\w./-]+\.\w+/g;
const OFFICE_PLACES = [
  "/healthz",
  "/_.data",
  "/orders.data",
  "/orders.data?view=all",
  "/products/stock.data",
  "/money/payments.data",
];

/** Guests who look around, one after the other, until `over`. */
export async function lookAround({ shop, chances, answers }: Sale, over: () => boolean): Promise<void> {
  while (!over()) {
    const guest = newVisitor(shop.url);
    const page = await answers.insist("page", () => guest.get("/shop"), over);
    const files = [...((await page?.text())?.match(FILE) ?? [])];
    for (const place of [...PLACES, ...files.slice(0, 2), ...files.slice(-2)]) {
      await sleep(chances.between(0.1 * SECOND, 0.6 * SECOND));
      await answers.insist("page", () => guest.get(place), over);
    }
  }
}

/**
 * One shopper's tabs: each stays open for some seconds, and reconnects as a browser does when its stream ends. Returns
 * how many tabs there were.
 */
export async function openTabs({ chances, answers }: Sale, visitor: Visitor, over: () => boolean): Promise<number> {
  let opened = 0;
  while (!over()) {
    const stay = chances.between(SECOND, 20 * SECOND);
    await answers.insist("stream", () => listen(visitor, stay), over);
    opened++;
  }
  return opened;
}

async function listen(visitor: Visitor, stay: number): Promise<Response> {
  const answer = await visitor.get("/api/live");
  if (answer.status !== 200 || !answer.body) return answer;
  const reader = answer.body.getReader();
  const leaving = setTimeout(() => void reader.cancel(), stay);
  while (!(await reader.read()).done);
  clearTimeout(leaving);
  return new Response();
}

/** An open office, whose screens ask again and again whether there is anything new. */
export async function keepOfficeOpen({ answers }: Sale, owner: Visitor, over: () => boolean): Promise<void> {
  while (!over()) {
    for (const place of OFFICE_PLACES) await answers.insist("page", () => owner.get(place), over);
    await sleep(3 * SECOND);
  }
}

/** A visitor who is signed in to the demo's office. */
export async function signInAt(office: string): Promise<Visitor> {
  const owner = newVisitor(office);
  const { status } = await owner.post("/sign-in", { intent: "demo" }, { origin: office });
  if (status !== 302) throw new Error(`Nobody can sign in to the office: ${status}`);
  return owner;
}

/**
 * Imports a file with so many new products in the office, after a look at the preview. Throws unless the office says
 * that the import is done.
 */
export async function importProducts(owner: Visitor, office: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => `soak-${at},Soak Shirt ${at},49.99,Palm Green,tees,20`);
  const table = ["id,title,price,color,kinds,M", ...rows].join("\n");
  const file = new FormData();
  file.append("file", new Blob([table], { type: "text/csv" }), "products.csv");
  const preview = await redirected(owner.post("/products/import", file, { origin: office }));
  await says(owner, preview, `Import ${count} products`);
  const written = await redirected(owner.post(preview, { intent: "import", agree: "on" }, { origin: office }));
  await says(owner, written, "The shop shows it now");
}

async function redirected(posting: Promise<Response>): Promise<string> {
  const answer = await posting;
  const place = answer.headers.get("location");
  if (!place) throw new Error(`The import was not taken: ${answer.status} ${await answer.text()}`);
  return place;
}

async function says(visitor: Visitor, place: string, words: string): Promise<void> {
  await untilAnswered(async () => (await (await visitor.get(place)).text()).includes(words), `${place} says ${words}`);
}
