import * as messages from "../messages.ts";
import { OWNABLE_GROUPS, type Sentence, type Sentences } from "./own.ts";

/** The sentences of each topic, by the names of their exports in `app/messages.ts`. */
const TOPICS: Record<string, (keyof typeof OWNABLE_GROUPS)[]> = {
  "Logging in": ["session", "signInLink"],
  "Verifying an email": ["verificationLink"],
  "A new password": ["resetLink"],
  "Sign-in with Google": ["googleLink"],
  Account: ["settings", "addressBook", "deletion"],
  Cart: ["cartOther", "codes", "kept"],
  Products: ["collection", "share", "stockAlert"],
  Orders: ["order", "again", "cancelling", "addressing", "sizing"],
  Payment: ["paying", "payerLink"],
  "Handing over": ["handover"],
  Returns: ["returns"],
  "All forms": ["form"],
};

/**
 * The keys of what stays: parts of sentences, a label, what the law has the shop keep, and a sentence whose words
 * depend on a number.
 */
const FIXED = [
  ...["again.paid", "again.dearer", "cartOther.newPrice"],
  ...["addressBook.another", "deletion.kept", "handover.wrong"],
];

/** The group whose sentences are made of numbers and times, and stay as they are. */
const FIXED_GROUP = "queue";
/** The group that only staff see. */
const UNLISTED = "preview";

/** The placeholders of sentences with values: by their position, or by their name in the first value. */
const VALUES: Record<string, string[] | Record<string, string>> = {
  "verificationLink.disown": ["shop name"],
  "googleLink.asks": ["email address"],
  "signInLink.sent": ["email address"],
  "addressBook.full": ["most"],
  "deletion.refused.money-under-way": ["order numbers"],
  "deletion.refused.return-open": ["order numbers"],
  "deletion.refused.unsent": ["order numbers"],
  "cartOther.tooManyLines": ["most"],
  "cartOther.leftOut": ["most", "items"],
  "cartOther.added": ["items"],
  "cartOther.mergedUpTo": ["most"],
  "cartOther.soldOutMeanwhile": ["items"],
  "cartOther.removed": ["item"],
  "cartOther.onlyLeft": ["pieces"],
  "cartOther.mostOfASize": ["most"],
  "codes.sum": ["needed", "missing"],
  "codes.pieces": ["needed", "missing"],
  "codes.counts": ["code", "offer"],
  "again.all": ["order number"],
  "again.inSize": ["item"],
  "again.differs": ["order number"],
  "cancelling.too-late": { returnDays: "return days" },
  "payerLink.lineTooLong": ["most"],
  "addressing.dearer": ["new price", "paid price"],
  "returns.faults.too-late": { returnDays: "return days" },
  "returns.faults.too-late-for-damage": { damageHours: "damage hours" },
  "returns.closed.too-late": { returnDays: "return days" },
  "form.required": ["field"],
  "handover.wrong": ["tries"],
  "queue.about": ["product", "time"],
  "queue.drawnLater": ["time"],
  "queue.number": ["number", "wait"],
  "queue.onlyNumber": ["number"],
  "queue.turn": ["time", "minutes"],
  "queue.soldInTurns": ["time"],
};

/**
 * A sentence that the owner can change. `text`: the one in code, with its placeholders in braces. `values`: the name of
 * each placeholder, with the position or name of its value.
 */
export type OwnableMessage = { key: string; topic: string; text: string; values: [value: string, name: string][] };

function sentencesIn(said: Sentence | Sentences, key: string): [key: string, said: Sentence][] {
  if (typeof said !== "object") return [[key, said]];
  return Object.entries(said).flatMap(([name, inside]) => sentencesIn(inside, `${key}.${name}`));
}

const inBraces = (name: string) => `{${name}}`;

function textOf(key: string, said: Sentence): string {
  if (typeof said === "string") return said;
  const values = VALUES[key];
  if (!values) throw new Error(`The values of the sentence ${key} have no names`);
  if (Array.isArray(values)) return said(...values.map(inBraces));
  return said(Object.fromEntries(Object.entries(values).map(([value, name]) => [value, inBraces(name)])));
}

const inTopics = Object.entries(TOPICS).flatMap(([topic, groups]) =>
  groups
    .flatMap((group) => sentencesIn(OWNABLE_GROUPS[group] as Sentences, group))
    .map(([key, said]) => ({ key, topic, text: textOf(key, said), values: Object.entries(VALUES[key] ?? {}) })),
);

/** All sentences that the owner can change, by topic. */
export const OWNABLE: readonly OwnableMessage[] = inTopics.filter(({ key }) => !FIXED.includes(key));

/** The sentences that stay as they are, because the specification quotes them. */
export const QUOTED: readonly string[] = Object.entries(messages)
  .filter(([group]) => !Object.hasOwn(OWNABLE_GROUPS, group) && group !== FIXED_GROUP && group !== UNLISTED)
  .flatMap(([group, said]) => sentencesIn(said as Sentences, group))
  .flatMap(([, said]) => (typeof said === "string" ? [said] : []));

/** All sentences for shoppers that the owner can't change: the quoted ones, and those that stay for another reason. */
export const LOCKED: readonly string[] = [
  ...QUOTED,
  ...inTopics.filter(({ key }) => FIXED.includes(key)).map(({ text }) => text),
  ...sentencesIn(messages.queue as Sentences, FIXED_GROUP).map(([key, said]) => textOf(key, said)),
];
