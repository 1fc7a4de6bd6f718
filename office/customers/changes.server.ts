import { redirect } from "react-router";
import { z } from "zod";
import type { Deleted } from "#app/customer-data/delete-customer.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { forgetByPhone } from "#app/owner/customers/by-phone.server.ts";
import { addCustomerNote, endCustomerSession, forgetCustomer } from "#app/owner/customers/customers.server.ts";
import { viewCustomer } from "#app/owner/customers/view.server.ts";
import { removeSubscriber } from "#app/owner/newsletter/newsletter.server.ts";
import { changeCustomerTags } from "#app/owner/tags/change.server.ts";
import { change, type Outcome } from "../http/changes.server.ts";
import { noteChange } from "../notes/changes.server.ts";
import { tagChanges } from "../tags/changes.server.ts";

// The changes that staff can make to a customer.

/** The customer with the id in the URL. Throws a 404 response if there is none. */
async function customerOf({ id = "" }: { id?: string }) {
  const customer = await viewCustomer(db(), id);
  if (!customer) throw new Response(null, { status: 404 });
  return customer;
}

/** The changes to customers who are known by their phone number alone. */
export const PHONE_CUSTOMER_CHANGES = {
  forget: change({
    needs: "customers",
    fields: z.object({ phone: z.string().max(40) }),
    run: async ({ by, fields }) => forgotten(await forgetByPhone(db(), by, fields.phone)),
  }),
};

function forgotten(done: Deleted): Outcome | Response {
  if (done.ok) return redirect("/customers?forgotten=1");
  if (done.why === "unknown") return { ok: false, problem: "This customer’s data is already deleted" };
  const orders = "orders" in done ? `: ${done.orders.join(", ")}` : "";
  return { ok: false, problem: `Something of it is still open, so nothing was done${orders}` };
}

export const CUSTOMER_CHANGES = {
  unsubscribe: change({
    needs: "customers",
    fields: z.object({}),
    run: async ({ by, params }) => {
      const { email } = await customerOf(params);
      return (await removeSubscriber(db(), by, email))
        ? { ok: true, what: "unsubscribed" }
        : { ok: false, problem: "They aren’t subscribed to the newsletter" };
    },
  }),
  "end-session": change({
    needs: "customers",
    fields: z.object({ session: z.uuid() }),
    run: async ({ by, fields, params }) => endCustomerSession(db(), by, (await customerOf(params)).id, fields.session),
  }),
  forget: change({
    needs: "customers",
    fields: z.object({ email: z.string().max(254) }),
    run: async ({ by, fields, params }) => {
      const { id, email } = await customerOf(params);
      if (normalizeEmail(fields.email) !== email)
        return { ok: false, problems: { email: "That isn’t this account’s email address" } };
      return forgotten(await forgetCustomer(db(), by, id));
    },
  }),
  note: noteChange("customers", async (by, params, note) =>
    addCustomerNote(db(), by, (await customerOf(params)).id, note),
  ),
  ...tagChanges("customer", async (by, params, change) =>
    changeCustomerTags(db(), by, (await customerOf(params)).id, change),
  ),
};
