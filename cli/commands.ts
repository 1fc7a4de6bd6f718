import { audit } from "./audit.ts";
import { backup } from "./backup.ts";
import { brand } from "./brand.ts";
import { check } from "./check.ts";
import { choices } from "./choices.ts";
import { collections } from "./collections.ts";
import type { Actions } from "./command.ts";
import { customers } from "./customers.ts";
import { deliveryWayActions } from "./delivery-ways.ts";
import { documents } from "./documents.ts";
import { goLive } from "./go-live.ts";
import { hero } from "./hero.ts";
import { kinds } from "./kinds.ts";
import { mails } from "./mails.ts";
import { migrate } from "./migrate.ts";
import { numbers } from "./numbers.ts";
import { offers } from "./offers.ts";
import { orders } from "./orders.ts";
import { pictures } from "./pictures.ts";
import { prices } from "./prices.ts";
import { products } from "./products.ts";
import { push } from "./push.ts";
import { queue } from "./queue.ts";
import { rate } from "./rate.ts";
import { receipts } from "./receipts.ts";
import { redirects } from "./redirects.ts";
import { returns } from "./returns.ts";
import { sales } from "./sales.ts";
import { sections } from "./sections.ts";
import { shipping } from "./shipping.ts";
import { sizeGuides } from "./size-guides.ts";
import { staff } from "./staff.ts";
import { status } from "./status.ts";
import { stock } from "./stock.ts";
import { subscribers } from "./subscribers.ts";
import { takings } from "./takings.ts";
import { words } from "./words.ts";

/** The owner's actions by the words with which a command line begins. */
export const actions: Actions = {
  ...audit,
  ...backup,
  ...brand,
  ...check,
  ...choices,
  ...collections,
  ...customers,
  ...deliveryWayActions,
  ...documents,
  ...goLive,
  ...hero,
  ...kinds,
  ...mails,
  ...migrate,
  ...numbers,
  ...offers,
  ...orders,
  ...pictures,
  ...prices,
  ...products,
  ...push,
  ...queue,
  ...rate,
  ...receipts,
  ...redirects,
  ...returns,
  ...sales,
  ...sections,
  ...shipping,
  ...sizeGuides,
  ...staff,
  ...status,
  ...stock,
  ...subscribers,
  ...takings,
  ...words,
};
