import { expect, test } from "vitest";
import { DESCRIPTIONS } from "#app/providers/descriptions.ts";
import { PROVIDERS } from "#app/providers/registry.server.ts";
import { shipped } from "./sources.ts";

/** Where a provider's name stands outside its own room, and why. */
const EXCEPTIONS: Record<string, string> = {
  "app/providers/": "names each provider once",
  "app/messages.ts": "sentences that the specification quotes",
  "app/infra/sandbox.server.ts": "the keys that the stand-in takes",
  "sandbox/": "the stand-in itself",
};

/** The names of settings, and the path at which the provider's webhooks arrive. */
const OF_THE_OUTSIDE = /\b[A-Z]+(?:_[A-Z]+)+\b|\/webhooks\/[a-z-]+/g;

test("53 outside its own room, no file knows a company that takes payments", () => {
  const ids = DESCRIPTIONS.filter(({ isOutside }) => isOutside).map(({ id }) => id);
  const named = shipped
    .filter(({ file, text }) => {
      const said = text.replaceAll(OF_THE_OUTSIDE, "").toLowerCase();
      return ids.some((id) => said.includes(id) && !file.startsWith(`app/${id}/`));
    })
    .map(({ file }) => file);
  const places = Object.keys(EXCEPTIONS);
  expect(named.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
  expect(places.filter((place) => !named.some((file) => file.startsWith(place)))).toEqual([]);
});

test("53 each provider is described, and does what its description says", () => {
  expect(PROVIDERS.map(({ description }) => description)).toEqual(DESCRIPTIONS);
  for (const { description, webhook, records } of PROVIDERS) {
    expect(webhook !== undefined, description.id).toBe(description.webhook !== undefined);
    expect(records !== undefined, description.id).toBe(description.isOutside);
  }
});
