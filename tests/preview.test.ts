vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import { readNotation } from "#app/content/notation.ts";
import { originalBlocks } from "#app/content/originals.server.tsx";
import { TEXT_PAGES, type TextPage } from "#app/content/pages.ts";
import { deleteEndedPreviews } from "#app/content/preview/preview.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { loggedPath } from "#app/infra/http/logged-path.ts";
import * as messages from "#app/messages.ts";
import { type HomePreview, previewHero, previewSections } from "#app/owner/shop/preview.server.ts";
import { previewText } from "#app/owner/texts/preview.server.ts";
import { publishText } from "#app/owner/texts/versions.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

const DRAFT = "Soon: made in Lagos.";
const BAR = "Draft, seen by staff alone · Leave";
/** How a plain form is refused. */
const REFUSED = { status: 403, refresh: "0; url=/preview", text: messages.preview.refused };

beforeEach(() => db().deleteFrom("previews").execute());

type Sent = { as?: string; form?: Record<string, string>; json?: object };

/** Asks for a page, or posts to it, as a browser without script does. */
async function send(path: string, { as = "", form, json }: Sent = {}) {
  const { port, origin } = shop();
  const posts = form ?? json;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: posts ? "POST" : "GET",
    headers: {
      host: new URL(origin).host,
      ...(posts && { origin }),
      ...(json && { "content-type": "application/json" }),
      ...(as && { cookie: as }),
    },
    body: json ? JSON.stringify(json) : form && new URLSearchParams(form),
    redirect: "manual",
  });
  const raw = await answer.text();
  const text = raw.replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, "").replaceAll(/\s+/g, " ");
  const { status, headers } = answer;
  return { status, to: headers.get("location"), refresh: headers.get("refresh"), headers, raw, text };
}

/** The path of a new link to a draft. */
async function newLink(text = DRAFT, page: TextPage = "about", by: Actor = OWNER): Promise<string> {
  const made = await previewText(db(), by, page, readNotation(text));
  if (!made.ok) throw new Error(made.problems.join());
  return new URL(made.link).pathname;
}

/** Opens a link. Returns the browser's Cookie header. */
async function opened(link: string): Promise<string> {
  const { headers } = await send(link);
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

const shownAt = async (path: string, as = "") => (await send(path, { as })).raw.includes(DRAFT);

/** Puts the end of all links and previews into the past. */
const endAll = () =>
  db()
    .updateTable("previews")
    .set({ endsAt: new Date(Date.now() - 1) })
    .execute();

test("S75 the browser that opens the link sees the draft, and a stranger with the page's address doesn't", async () => {
  const link = await newLink();
  const { status, to, headers } = await send(link);
  expect([status, to, headers.get("cache-control")]).toEqual([303, "/about", "no-store"]);
  const [cookie = "", ...others] = headers.getSetCookie();
  expect(cookie).toMatch(/^irepo\.preview=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/);
  expect(others).toEqual([]);
  const as = cookie.split(";")[0];
  for (const path of ["/about", "/about.data"]) {
    expect(await shownAt(path, as), path).toBe(true);
    expect(await shownAt(path), path).toBe(false);
  }
});

test.each(["/about", "/", "/shop", "/Cart", "/returnpolicy", "/no-such-page"])(
  "%s is neither kept nor listed while it is previewed, and has the bar",
  async (path) => {
    const as = await opened(await newLink());
    const { headers, text } = await send(path, { as });
    expect([headers.get("cache-control"), headers.get("x-robots-tag")]).toEqual(["no-store", "noindex"]);
    expect(text).toContain(BAR);
    const stranger = await send(path);
    expect(stranger.headers.get("x-robots-tag")).toBeNull();
    expect(stranger.raw).not.toContain("seen by staff alone");
  },
);

test("S75 the kept page is the same before, during and after a preview, to the byte", async () => {
  const kept = async () => {
    const { raw, headers } = await send("/about");
    return [raw, headers.get("etag"), headers.get("cache-control")];
  };
  const before = await kept();
  expect(before[1]).toMatch(/^"/);
  const as = await opened(await newLink());
  expect(await shownAt("/about", as)).toBe(true);
  expect(await kept()).toEqual(before);
  await send("/preview", { as, form: {} });
  expect(await kept()).toEqual(before);
  expect(await shownAt("/about", as)).toBe(false);
});

describe("a link opens nothing", () => {
  const isDead = async (link: string, as = "") => {
    const { status, text, headers } = await send(link, { as });
    expect([status, headers.getSetCookie()]).toEqual([404, []]);
    expect(text).toContain(messages.preview.over);
  };

  test("S75 a second time, but to the browser that has opened it, until the preview ends", async () => {
    const link = await newLink();
    const as = await opened(link);
    await isDead(link);
    await isDead(link, await opened(await newLink()));
    const { status, to, headers } = await send(link, { as });
    expect([status, to, headers.getSetCookie()]).toEqual([303, "/about", []]);
    expect(await shownAt("/about", as)).toBe(true);
    await endAll();
    await isDead(link, as);
  });

  test("S75 but to one of three who open it at once", async () => {
    const link = await newLink();
    const answers = await Promise.all([send(link), send(link), send(link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
  });

  test("S75 after a minute", async () => {
    const link = await newLink();
    const { endsAt } = await db().selectFrom("previews").select("endsAt").executeTakeFirstOrThrow();
    expect(endsAt.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    await endAll();
    await isDead(link);
  });

  test("once the same member has made another; another member's opens", async () => {
    const first = await newLink();
    const theirs = await newLink(DRAFT, "about", { name: "ada@example.com", door: "office" });
    await newLink();
    await isDead(first);
    expect(await opened(theirs)).toContain("irepo.preview=");
  });

  test.each(["A".repeat(22), "short"])("if it is %s", (code) => isDead(`/preview/${code}`));
});

test("S75 what is stored opens no preview, and the log has no link", async () => {
  const link = await newLink();
  const as = await opened(link);
  const row = await db().selectFrom("previews").selectAll().executeTakeFirstOrThrow();
  const code = link.split("/").at(-1) ?? "";
  for (const secret of [code, as.split("=")[1] ?? ""]) {
    expect(secret).toMatch(/^[\w-]{22}$/);
    expect([row.linkHash, row.cookieHash].map((hash) => hash?.toString("base64url"))).not.toContain(secret);
  }
  expect(loggedPath(link)).toBe("/preview/…");
});

test.each<[TextPage, string]>([
  ["returns", "Ask within 14 days."],
  ["shipping", "{delivery prices}\n\nThat’s all."],
  ["privacy", "We keep your orders."],
])("the draft of %s is shown as the page shows a text", async (page, text) => {
  const as = await opened(await newLink(text, page));
  const last = readNotation(text).at(-1);
  const shown = last?.kind === "list" ? "" : (last?.text ?? "");
  expect((await send(TEXT_PAGES[page].path, { as })).raw).toContain(`<p>${shown}</p>`);
  expect((await send(TEXT_PAGES[page].path)).raw).not.toContain(`<p>${shown}</p>`);
  expect((await send("/about", { as })).raw).toContain("being of one mind"); // no other page has a draft
});

test("a draft that is the text in code is shown as that text, whatever is published", async () => {
  await publishText(db(), OWNER, "about", { blocks: readNotation("Published.") });
  const made = await previewText(db(), OWNER, "about", originalBlocks("about"));
  const as = await opened(made.ok ? new URL(made.link).pathname : "");
  expect((await send("/about", { as })).raw).toContain('<strong lang="yo">');
  await db().deleteFrom("pageTexts").execute();
});

test("slides and sections of the home page are previewed, each with what is shown of the other now", async () => {
  const slides = SHIPPED_SLIDES.map((slide) => ({ ...slide, title: "Zuma\nrock" }));
  const slogan = { id: "a", kind: "slogan" as const, title: "Sewn in Lagos", text: "", label: "", to: "" };
  const before = await send("/");
  /** Whether the page, and its data, have the slide's words and the section's. */
  const shown = async (made: HomePreview) => {
    const as = await opened(made.ok ? new URL(made.link).pathname : "");
    const both = await Promise.all(["/", "/_.data"].map((path) => send(path, { as })));
    return both.map(({ raw }) => ["Zuma", "Sewn in Lagos"].map((words) => raw.includes(words)));
  };
  expect(await shown(await previewHero(db(), OWNER, slides))).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(await shown(await previewSections(db(), OWNER, [slogan]))).toEqual([
    [false, true],
    [false, true],
  ]);
  expect((await send("/")).raw).toBe(before.raw);
  expect(await previewSections(db(), OWNER, [{ ...slogan, label: "See it", to: "/singleProduct/none" }])).toEqual({
    ok: false,
    problems: { "0.to": "The shop has no page /singleProduct/none." },
  });
});

describe("S75 a browser that previews can't buy", () => {
  /** A shopper with a piece in the cart, whose browser previews a draft. */
  async function previewingShopper() {
    const id = await makeProduct(db(), { M: 3, L: 3 });
    const user = await makeShopper(db(), { productId: id, size: "M" });
    const session = await cookieOf(user);
    return { id, user, session, as: `${session}; ${await opened(await newLink())}` };
  }
  const cartOf = ({ id }: { id: string }) =>
    db().selectFrom("cartLines").select(["size", "quantity"]).where("userId", "=", id).execute();

  test("at the checkout, with or without script: the page that says so is shown", async () => {
    const { as, user } = await previewingShopper();
    expect(await send("/checkout", { as, form: lagosForm })).toMatchObject(REFUSED);
    const scripted = await send("/checkout.data", { as, form: lagosForm });
    expect([scripted.status, scripted.headers.get("x-remix-redirect")]).toEqual([204, "/preview"]);
    expect(await db().selectFrom("orders").select("id").where("userId", "=", user.id).execute()).toEqual([]);
    const said = await send("/preview", { as });
    expect([said.status, said.text]).toEqual([200, expect.stringContaining(messages.preview.refused)]);
  });

  test("and its cart stays as it is", async () => {
    const { id, as, user } = await previewingShopper();
    const before = await cartOf(user);
    expect(before).toHaveLength(1);
    for (const path of [`/singleProduct/${id}`, "/Cart"]) {
      const form = { intent: "add", id, size: "L", quantity: "1" };
      expect(await send(path, { as, form }), path).toMatchObject(REFUSED);
    }
    const told = await send("/api/cart", { as, json: { intent: "add", id, size: "L", quantity: 1 } });
    expect(JSON.parse(told.raw)).toEqual({ problem: messages.preview.refused });
    expect(await cartOf(user)).toEqual(before);
  });

  test("and no script takes it for signed out or subscribed, which a redirect would tell", async () => {
    const { as, session } = await previewingShopper();
    const subscriber = { firstName: "Ada", email: "ada@example.com" };
    for (const [path, form] of Object.entries({ "/logout": {}, "/subscribe": subscriber }))
      expect(await send(path, { as, form }), path).toMatchObject(REFUSED);
    expect(JSON.parse((await send("/api/me", { as: session })).raw).user).not.toBeNull();
  });

  test("until it leaves", async () => {
    const { id, as, user, session } = await previewingShopper();
    const left = await send("/preview", { as, form: {} });
    expect(left).toMatchObject({ status: 303, to: "/about" });
    expect(left.headers.getSetCookie()).toEqual([expect.stringMatching(/^irepo\.preview=; .*Max-Age=0$/)]);
    const json = { intent: "add", id, size: "L", quantity: 1 };
    for (const cookies of [as, session])
      expect((await send("/api/cart", { as: cookies, json })).raw).not.toContain("preview");
    expect(await cartOf(user)).toContainEqual({ size: "L", quantity: 2 });
  });
});

test("after half an hour the cookie shows the kept page, and refuses nothing", async () => {
  const as = await opened(await newLink());
  const { endsAt } = await db().selectFrom("previews").select("endsAt").executeTakeFirstOrThrow();
  expect(Math.abs(endsAt.getTime() - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
  await endAll();
  const kept = await send("/about");
  const shown = await send("/about", { as });
  expect([shown.raw, shown.headers.get("etag")]).toEqual([kept.raw, kept.headers.get("etag")]);
  expect((await send("/preview", { as })).status).toBe(404);
  expect((await send("/subscribe", { as, form: {} })).refresh).toBeNull();
});

test("a page costs one statement in a preview, and none without", async () => {
  const as = await opened(await newLink());
  const lookUps = async (path: string, cookie?: string) => {
    const sent = vi.spyOn(pg.Client.prototype, "query");
    await send(path, { as: cookie });
    const texts = sent.mock.calls.map(([query]) => JSON.stringify(query)).filter((text) => text.includes("previews"));
    sent.mockRestore();
    return texts.length;
  };
  for (const path of ["/about", "/Cart", "/api/me"])
    expect([await lookUps(path, as), await lookUps(path), await lookUps(path, "irepo.preview=x")], path).toEqual([
      1, 0, 0,
    ]);
});

test("ended previews and old links are deleted, and no others", async () => {
  await opened(await newLink());
  await endAll();
  const as = await opened(await newLink());
  await deleteEndedPreviews(db());
  expect(await db().selectFrom("previews").select("page").execute()).toHaveLength(1);
  expect(await shownAt("/about", as)).toBe(true);
});
