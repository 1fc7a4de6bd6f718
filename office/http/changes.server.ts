import { type ActionFunctionArgs, data } from "react-router";
import { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { FormSize } from "#app/infra/http/form-reader.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import type { SizeProblem } from "#app/owner/catalog/stock-edit.ts";
import type { TypedOffer } from "#app/owner/offers/typed-offer.server.ts";
import type { Act, Done } from "#app/owner/orders/orders.server.ts";
import { stale } from "#app/owner/stale.ts";
import { may, type Permission } from "#app/staff/roles.ts";
import { actorOf, type Staff } from "#app/staff/sessions.server.ts";
import type { RenderedMail } from "#app/ui/mail.tsx";
import type { TextBlock } from "#db/types.ts";
import type { ShownOffer } from "../offers/shown-offer.ts";
import type { PricePreview } from "../prices/price-preview.ts";
import type { SalePreview } from "../prices/sale-preview.ts";
import { fieldsOf, OFFICE_FORM, postedForm } from "./form.server.ts";
import { requirePermission, staffOf } from "./staff.server.ts";

/**
 * The result of a change.
 * `problems`: error messages by field.
 * `isStale`: somebody else has changed the same. `since`: their acts. `theirs`: a line for each of their values.
 * `sizes`: sizes whose stock differs from what the member saw.
 * `doubts`: values that look like typing errors and can be confirmed.
 * `sale`, `prices`, `offer`, `blocks`: previews of sale prices, of changed normal prices, of an offer, and of a text.
 * `mail`: a preview of the email with that text.
 * `link`: to what was made, or to a preview in the shop.
 * `values`: the texts of the form by field, to show them again. `typed`: the same for an offer.
 * `version`: the current version of the changed thing, so that the form's next change is not taken for a conflict.
 */
export type Outcome =
  | { ok: true; what: string; link?: string; recoveryCodes?: string[]; version?: string }
  | {
      ok: false;
      problem: string;
      isStale?: true;
      since?: Act[];
      theirs?: string[];
      sizes?: SizeProblem[];
      doubts?: string[];
      version?: string;
      sale?: SalePreview;
      prices?: PricePreview;
      offer?: ShownOffer;
      blocks?: TextBlock[];
      mail?: RenderedMail;
      link?: string;
      typed?: TypedOffer;
      values?: Record<string, string>;
    }
  | { ok: false; problems: Record<string, string>; typed?: TypedOffer; values?: Record<string, string> };

type Posted = { by: Actor; staff: Staff; request: Request; params: ActionFunctionArgs["params"] };

type Change = {
  needs: Permission;
  /** The largest form, if larger than OFFICE_FORM. */
  size?: Partial<FormSize>;
  /** The schema of the form. Tests read it to make forms. */
  fields: z.ZodType;
  /** Parses the posted form, and makes the change if all fields are valid. */
  attempt(typed: unknown, posted: Posted): Promise<Outcome | Response>;
};

export type Description<Fields> = Omit<Change, "attempt" | "fields"> & {
  fields: z.ZodType<Fields>;
  /** Whether a refusal has the form's texts as `values`, so that the form shows them again without JavaScript, too. */
  returnsTyped?: true;
  /**
   * Makes the change, and writes the audit row in the same transaction. A Response is returned unchanged. A BadInput
   * becomes a refusal with its message.
   */
  run(given: Posted & { fields: Fields }): Promise<Outcome | Response>;
};

/** The refusal of a form with an old version. Sent again, it replaces the new one. `what`, like “this collection”. */
export function outdated(what: string, { version }: { version: number }) {
  return stale({ problem: `Somebody else has changed ${what}`, version: String(version) });
}

/** A form without fields of its own. `seen` is the last act on the order or return that the member has seen. */
export const PLAIN = z.object({
  seen: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

/** A change that can be made on a screen. */
export function change<Fields>({ fields, run, returnsTyped, ...rest }: Description<Fields>): Change {
  return {
    ...rest,
    fields,
    attempt: async (typed, posted) => {
      const parsed = fields.safeParse(typed);
      const done: Outcome | Response = parsed.success
        ? await run({ ...posted, fields: parsed.data }).catch(refusedInput)
        : { ok: false, problems: problemsOf(parsed.error) };
      return returnsTyped && !(done instanceof Response) && !done.ok ? { ...done, values: textsIn(typed) } : done;
    },
  };
}

/**
 * A route's action. The form's `intent` selects one of the changes in `table`. A role that may make none of them gets
 * 403 before the form is read; a role that may not make the selected one gets 403 as soon as `intent` is read. Invalid
 * fields get 422 with a message for each. Nothing is changed in these cases.
 */
export function changes<Table extends Record<string, Change>>(table: Table) {
  const action = async ({ request, params, context }: ActionFunctionArgs) => {
    const sizes = sizesFor(context, table);
    let meant: { intent: string; one: Change; staff: Staff } | undefined;
    const form = await postedForm(request, largestOf(sizes), (name, value) => {
      if (name !== "intent" || meant) return;
      meant = meantBy(context, table, String(value));
      return sizeOf(meant.one);
    });
    if (!meant) throw data(null, 400);
    const { intent, one, staff } = meant;
    const posted = { by: actorOf(staff), staff, request, params };
    const done = await one.attempt(fieldsOf(form), posted).catch(refusedByStore);
    if (done instanceof Response) return done;
    return data({ ...done, intent }, done.ok ? 200 : done === STORE_UNAVAILABLE ? 503 : 422);
  };
  return Object.assign(action, { changes: table });
}

type Context = ActionFunctionArgs["context"];

/** The sizes of the forms that this role may send here. Throws a 403 response if there are none. */
function sizesFor(context: Context, table: Record<string, Change>): FormSize[] {
  const all = Object.values(table);
  const open = all.filter(({ needs }) => may(staffOf(context).role, needs));
  if (open.length === 0 && all[0]) requirePermission(context, all[0].needs);
  return open.map(sizeOf);
}

const sizeOf = ({ size }: Change): FormSize => ({ ...OFFICE_FORM, ...size });

function largestOf(sizes: FormSize[]): FormSize {
  return {
    fields: Math.max(...sizes.map(({ fields }) => fields)),
    bytes: Math.max(...sizes.map(({ bytes }) => bytes)),
  };
}

function meantBy(context: Context, table: Record<string, Change>, intent: string) {
  const one = Object.hasOwn(table, intent) ? table[intent] : undefined;
  if (!one) throw data(null, 400);
  return { intent, one, staff: requirePermission(context, one.needs) };
}

/** A refusal that is about one field stands beside that field. */
export function besideField(done: Done): Outcome {
  return !done.ok && done.field ? { ok: false, problems: { [done.field]: done.problem } } : done;
}

function refusedInput(error: unknown): Outcome {
  if (error instanceof BadInput) {
    const { message: problem, field } = error;
    return besideField({ ok: false, problem, ...(field && { field }) });
  }
  throw error;
}

const STORE_UNAVAILABLE: Outcome = {
  ok: false,
  problem: "The picture store isn’t answering, so nothing was saved. Try again in a moment",
};

/** Turns an error of the picture store into a refusal, since a change may need the store. */
function refusedByStore(error: unknown): Outcome {
  if (error instanceof Problem) return STORE_UNAVAILABLE;
  throw error;
}

/** The texts of a form by field; those of a list with line breaks between. */
function textsIn(typed: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(typed as Record<string, unknown>).map(([name, value]) => [
      name,
      [value]
        .flat()
        .filter((one) => typeof one === "string")
        .join("\n"),
    ]),
  );
}

/** The first problem of each field. */
export function problemsOf({ issues }: z.ZodError): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join("."), message]));
}
