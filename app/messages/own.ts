import * as messages from "../messages.ts";

/**
 * The owner's sentences by key, such as "cartOther.soldOut". `{0}` stands for a sentence's first value, and `{name}`
 * for a property of it.
 */
export type OwnMessages = Record<string, string>;

/** The groups of sentences that the specification does not quote, except those that only staff read. */
export const OWNABLE_GROUPS = {
  verificationLink: messages.verificationLink,
  googleLink: messages.googleLink,
  resetLink: messages.resetLink,
  signInLink: messages.signInLink,
  session: messages.session,
  settings: messages.settings,
  addressBook: messages.addressBook,
  deletion: messages.deletion,
  cartOther: messages.cartOther,
  codes: messages.codes,
  kept: messages.kept,
  collection: messages.collection,
  share: messages.share,
  stockAlert: messages.stockAlert,
  order: messages.order,
  again: messages.again,
  cancelling: messages.cancelling,
  addressing: messages.addressing,
  sizing: messages.sizing,
  paying: messages.paying,
  payerLink: messages.payerLink,
  handover: messages.handover,
  returns: messages.returns,
  form: messages.form,
};

export type Sentence = string | ((...values: unknown[]) => string);
export type Sentences = { [name: string]: Sentence | Sentences };

/** The sentences in code in whose place the owner's are, by key. */
const replaced = new Map<string, Sentence>();

/**
 * Puts the owner's sentences in the place of those in code, for all readers of `app/messages.ts` in this process or
 * page. A sentence that is not among them has its first text again.
 */
export function putMessages(own: OwnMessages = {}): void {
  for (const [key, first] of replaced) {
    if (Object.hasOwn(own, key)) continue;
    put(key, () => first);
    replaced.delete(key);
  }
  for (const [key, text] of Object.entries(own))
    put(key, (before) => {
      const first = replaced.get(key) ?? before;
      replaced.set(key, first);
      return typeof first === "string" ? text : (...values) => filled(text, values);
    });
}

function filled(text: string, values: unknown[]): string {
  const all: Record<string, unknown> = { ...Object(values[0]), ...values };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name]));
}

/** Changes the sentence with this key. A key without a sentence is ignored. */
function put(key: string, change: (before: Sentence) => Sentence): void {
  const path = key.split(".");
  const name = path.pop() ?? "";
  let group: Sentences | undefined = OWNABLE_GROUPS as unknown as Sentences;
  for (const part of path) {
    const inside: Sentence | Sentences | undefined = group?.[part];
    group = typeof inside === "object" ? inside : undefined;
  }
  const before = group?.[name];
  if (group && before !== undefined && typeof before !== "object") group[name] = change(before);
}
