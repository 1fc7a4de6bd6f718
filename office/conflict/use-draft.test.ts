import { createElement, useState } from "react";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { expect, test } from "vitest";
import { useDraft } from "./use-draft.browser.ts";

type Fields = { title: string; color: string };
type Draft = ReturnType<typeof useDraft<Fields>>;
type Step = { theirs: Fields; version: string; saved?: { version: string }; act?(draft: Draft): void };

/** The draft after each step: what is loaded and answered, and what the member does then. */
async function play(steps: Step[]): Promise<Draft[]> {
  const drafts: Draft[] = [];
  function Screen() {
    const [pass, setPass] = useState(0);
    const at = Math.floor(pass / 2); // twice each, since the draft may have set its state in the first pass
    const { act, ...given } = steps[at] as Step;
    drafts[at] = useDraft(given);
    if (pass % 2 === 1) act?.(drafts[at]);
    if (pass < 2 * steps.length - 1) setPass(pass + 1);
    return null;
  }
  const handler = createStaticHandler([{ path: "/", Component: Screen }]);
  const context = await handler.query(new Request("http://localhost/"));
  if (context instanceof Response) throw new Error("A page was expected");
  const router = createStaticRouter(handler.dataRoutes, context);
  renderToString(createElement(StaticRouterProvider, { router, context, hydrate: false }));
  return drafts;
}

const before = { theirs: { title: "Tee", color: "Red" }, version: "1" };
const answered = { ...before, saved: { version: "2" } };
const typed = (title: string) => (draft: Draft) => draft.set({ title });
const sent: Step[] = [
  { ...before, act: typed(" Mine ") },
  { ...before, act: (draft) => draft.onSend() },
  { ...answered, act: typed("Again") }, // typed before the reload
];
const mine = (color: string) => ({ title: "Again", color });

test("after a save the next one has its version before the reload, and what the shop has normalized is no conflict", async () => {
  const loaded = { ...answered, theirs: { title: "Mine", color: "Red" }, version: "2" };
  const [, , told, last] = await play([...sent, loaded]);
  expect(told).toMatchObject({ seen: "2", open: [], base: { title: " Mine " } });
  expect(last).toMatchObject({ seen: "2", open: [], base: loaded.theirs, mine: mine("Red") });
});

test("what somebody else saves between a save and its reload is merged, or a conflict where both have typed", async () => {
  const loaded = { ...answered, theirs: { title: "Theirs", color: "Blue" }, version: "3" };
  const [, , , asked, chosen] = await play([
    ...sent,
    { ...loaded, act: (draft) => draft.keepMine("title") },
    { ...loaded },
  ]);
  expect(asked).toMatchObject({ seen: "2", open: ["title"], mine: mine("Red") });
  expect(chosen).toMatchObject({ seen: "3", open: [], base: loaded.theirs, mine: mine("Blue") });
});
