import { z } from "zod";
import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { queueMail, type Renderers } from "#app/infra/mail.server.ts";
import { renderers } from "../emails.tsx";
import { forStranger } from "./stranger.ts";

/** The data of every mail about an order. */
export const aboutOrder = z.looseObject({ reference: z.string() });

/**
 * The renderers of mails about orders. They greet the account's owner, not the order's receiver. If the recipient is
 * not the verified address of the account that ordered, the mail has no name, no address and no text by people.
 */
export function orderMailsOn(on: () => Db): Renderers {
  return Object.fromEntries(
    Object.entries(renderers).map(([kind, render]) => [
      kind,
      async (given, shop, recipient) => {
        const data = aboutOrder.parse(given);
        const account = await provedAccountOf(on(), data.reference);
        const isProved = account?.email === recipient;
        return render(isProved ? { ...data, firstName: account.firstName } : forStranger(data), shop);
      },
    ]),
  );
}

const accountsOf = statement(
  {
    takes: { references: sqlType.textList() },
    gives: { reference: sqlType.text, email: sqlType.text, firstName: sqlType.text },
  },
  `select reference, users.email, first_name
   from payments join orders on orders.id = order_id join users on users.id = orders.user_id
   where reference = any(:references) and email_verified`,
);
const findAccounts = batched(
  async (on, references: string[]) =>
    new Map((await accountsOf(on, { references })).map((account) => [account.reference, account])),
);

/** The account that ordered, if its address is verified. Simultaneous calls share one query. */
export async function provedAccountOf(on: Db, reference: string) {
  return (await findAccounts(on, reference)).get(reference);
}

const mailsToCopy = statement(
  {
    takes: { ids: sqlType.textList(), kinds: sqlType.textList() },
    gives: {
      id: sqlType.uuid,
      idempotencyKey: sqlType.text,
      kind: sqlType.text,
      data: sqlType.json<unknown>(),
      account: sqlType.text,
    },
  },
  `select outbox.id, idempotency_key, kind, data, users.email as account
   from outbox join payments on payments.reference = outbox.data ->> 'reference'
     join orders on orders.id = order_id join users on users.id = orders.user_id
   where outbox.id = any(:ids::text[]::uuid[]) and outbox.state = 'queued' and kind = any(:kinds)
     and email_verified and users.email <> recipient`,
);
const findMailsToCopy = batched(
  async (on, ids: string[]) =>
    new Map((await mailsToCopy(on, { ids, kinds: Object.keys(renderers) })).map((mail) => [mail.id, mail])),
);

/**
 * If a queued mail about an order goes to an address other than the account's, queues a copy for the account. Safe to
 * repeat.
 */
export async function tellAccountToo(on: Db, mailId: string): Promise<void> {
  const mail = (await findMailsToCopy(on, mailId)).get(mailId);
  if (!mail) return;
  const { idempotencyKey, kind, account } = mail;
  const key = idempotencyKey.replace(":", "-copy:"); // the id stays the key's second part
  const data = aboutOrder.parse(mail.data);
  await retryingTransaction(on, (trx) => queueMail(trx, { key, recipient: account, kind, data }));
}
