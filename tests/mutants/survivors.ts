import type { Excuse } from "./excuses.ts";

/** The mutants that no test kills, by file. */
export const SURVIVORS: Record<string, Excuse[]> = {
  "app/money/exchange-rate.ts": [
    ["rate > last", "rate >= last", "equal rates are no distance apart, either way round"],
    ["[]", '["Stryker was here"]', "the first place is not read"],
  ],
  "app/money/money.ts": [["[]", '["Stryker was here"]', "the first place is not read"]],
  "app/shipping/business-days.ts": [['""', '"Stryker was here!"', "any country but Nigeria is abroad"]],
  "app/shipping/check.ts": [['""', '"Stryker was here!"', "postal codes are asked for abroad only"]],
  "app/shipping/form.server.ts": [
    [
      "stateNamed(rates.states, counted.state)?.name",
      "stateNamed(rates.states, counted.state).name",
      "the check has found it",
    ],
    ["abroad?.name", "abroad.name", "the check has found it"],
    ['""', '"Stryker was here!"', "the check has found the country"],
    ["!destination", "false", "the check lets nothing through that has none: a guard for whoever changes it"],
    ['throw new Error("a shipping form without a destination, which the check let through");', ";", "the same guard"],
  ],
  "app/shipping/place/place.ts": [
    ['"home"', '""', "only a pick-up is called otherwise"],
    ['"abroad"', '""', "only a pick-up is called otherwise"],
  ],
  "app/shipping/rates.server.ts": [["!name", "false", "saves a question: no center has an empty name"]],
  "app/shipping/shipping.ts": [
    [
      "countryIn(countries, fields.country)?.code",
      "countryIn(countries, fields.country).code",
      "the variant has found it",
    ],
    ['""', '"Stryker was here!"', "the variant has found the country"],
  ],
  "app/shipping/state-names.ts": [['""', '"Stryker was here!"', "neither is a state's name"]],
  "app/cart/cart.server.ts": [
    ["{ version: 0, count: 0 }", "{}", "the statement answers a row for everybody who is asked about"],
    [
      '{ if (error.severity === "ERROR") return undefined; // one change failed, so none was written: retry',
      "{}",
      "each is tried alone then, and fails by itself",
    ],
    ['error.severity === "ERROR"', "true", "each is tried alone then, and fails by itself"],
    ["!removed", "false", "the statement always answers a row: a guard for whoever changes it"],
    ['throw new Error("A removed line must have a version");', ";", "the same guard"],
  ],
  "app/cart/guest-item.ts": [
    ['"[]"', '""', "no cart either: what cannot be read is empty"],
    ['""', '"Stryker was here!"', "no cart and no amount either", 2],
    ['typeof value !== "object"', "false", "what is no object has no entries, so no product"],
  ],
  "app/cart/merge.server.ts": [
    ['"[]"', '""', "no cart either: what cannot be read is empty"],
    ["guest.length === 0", "false", "saves statements: nothing is merged either way"],
    [
      "products.get(line.productId)?.priceCents",
      "products.get(line.productId).priceCents",
      "only known products are written",
    ],
  ],
  "app/cart/random-id.ts": [
    [
      "/(.{8})(.{4})(.{4})(.{4})(.{12})/",
      "/(.{8})(.{4})(.{4})(.{4})(.)/",
      "what is left of the text follows all the same",
    ],
  ],
  "app/cart/no-script-cart.server.ts": [
    [
      '""',
      '"Stryker was here!"',
      "the shop writes both parts of the cookie, and one that is put away has no value that counts",
      2,
    ],
    ["cookie.length > MOST_BYTES", "cookie.length >= MOST_BYTES", "browsers keep 4 KB: a byte is within what is left"],
  ],
  "app/orders/fulfilment/progress.ts": [
    ['"Paid"', '""', "an order is paid: its words ahead are never shown"],
    ['""', '"Stryker was here!"', "the words ahead of what is shown only once it has happened", 3],
  ],
  "app/orders/number.ts": [
    ['""', '"Stryker was here!"', "neither is a prefix: what does not match is refused all the same", 2],
    ["[]", '["Stryker was here"]', "the first place is not read"],
  ],
  "app/orders/units.ts": [
    ["productId && size", "productId || size", "both are there, or neither"],
    ["[]", '["Stryker was here"]', "what is not matched is read from the second place on"],
  ],
  "app/payments/refunds/match.ts": [['""', '"Stryker was here!"', "neither names a refund of ours"]],
  "app/payments/start.server.ts": [
    ['"retry"', '""', "the next round begins all the same: no order has payments to be settled before it", 2],
    ['plan.step === "retry"', "false", "the same"],
    ['{ step: "retry" }', "{}", "the same"],
    ['"settle-live"', '""', "the step that is left when it is none of the others"],
  ],
  "app/payments/open.server.ts": [
    ["performance.now() < deadline", "performance.now() <= deadline", "a moment of no length"],
    ["!payment || !isLive(payment.orderState)", "true", "the same is read from what has just been written down"],
    ["!payment", "payment", "the same; where there is none, looking for it fails"],
  ],
  "app/payments/refunds/record-reported.server.ts": [
    ["more <= 0", "more < 0", "as much as before: nothing is changed"],
    ["less > 0", "true", "saves a statement: the sum stays what it is"],
    ["less > 0", "less >= 0", "the same"],
  ],
  "app/payments/refunds/refunds.server.ts": [
    ["Date.now() - begun > SENT_WITHIN", "Date.now() - begun >= SENT_WITHIN", "a moment of no length"],
  ],
  "app/payments/reject.server.ts": [
    ["isLive(order.state)", "true", "saves a statement: what has ended holds nothing that could be released"],
  ],
  "app/payments/refunds/refund-sale.server.ts": [
    ["[]", '["Stryker was here"]', "a text has no piece's key"],
    ["[]", '["Stryker was here"]', "the plan was refused where a part of a failed one goes back"],
  ],
  "app/payments/trace.server.ts": [
    ["!stepChannel.asyncEnd.hasSubscribers", "false", "saves a question: what nobody listens to is told to nobody"],
  ],
  "app/payments/add-order.server.ts": [
    ["!order", "false", "an insert answers its row: a guard for whoever changes it"],
    ['throw new Error("An inserted order has an id");', ";", "the same guard"],
  ],
  "app/payments/awaited.server.ts": [
    [
      "(await paymentStatus(on, userId, reference))?.outcome",
      "(await paymentStatus(on, userId, reference)).outcome",
      "the payment is this shopper's: it was found by that",
    ],
  ],
  "app/payments/reconcile.server.ts": [["{ signal }", "{}", "the rest lasts its second then: nothing is done wrong"]],
  "app/payments/webhook.server.ts": [
    ["isUrgent", "true", "a round that comes for nothing"],
    ["false", "true", "a round that comes for nothing", 4],
    ['""', '"Stryker was here!"', "neither is the reference of a payment that has a trace"],
    ["added?.isNew", "added.isNew", "the statement always answers a row"],
    ["[]", '["Stryker was here"]', "no state of a payment has this name"],
  ],
  "app/payments/settle.server.ts": [
    [
      'payment.state === "paid" || payment.state === "refused"',
      "true",
      "saves a question: what is neither is not settled",
    ],
    ["buyer", "true", "a message to the tabs of nobody, which nobody hears"],
    ["settlement", "true", "what is paid or refused is settled"],
    ["live?.id === order.id", "false", "one that is this order holds no stock here, and is sold from every state"],
    ["[]", '["Stryker was here"]', "a text has no piece's key: nothing is added to what is there"],
  ],
  "app/orders/reservation.server.ts": [
    [
      "lines.find(({ productId }) => productId === id)?.title",
      "lines.find(({ productId }) => productId === id).title",
      "what falls short is of one of these lines",
    ],
  ],
  "app/orders/issues.server.ts": [["[]", '["Stryker was here"]', "asked for only where there are refunds"]],
  "app/orders/refund-plan.ts": [
    [
      "[]",
      '["Stryker was here"]',
      "a text has no piece's key, so nothing is found under it; a sum without its piece there is not",
      4,
    ],
  ],
  "app/orders/past/import.server.ts": [
    ['""', '"Stryker was here!"', "no customer has this id, and the sale has its own by then", 2],
    ["picture === undefined", "false", "nothing is kept under no picture"],
  ],
  "app/orders/past/pictures.server.ts": [["[]", '["Stryker was here"]', "the first place is not read"]],
  "app/orders/past/sale.ts": [
    ['""', '"Stryker was here!"', "a text that is split has a first part"],
    ["at.getTime() <= Date.now()", "at.getTime() < Date.now()", "a moment of no length"],
  ],
  "app/orders/returns/ask.server.ts": [["[]", '["Stryker was here"]', "a group has a first line"]],
  "app/orders/returns/pictures.server.ts": [['""', '"Stryker was here!"', "asked only where there is a customer"]],
  "app/orders/returns/rows.server.ts": [
    ['""', '"Stryker was here!"', "asked only where one is left out"],
    ["!row", "false", "no return is ever deleted while its order is locked: a guard for whoever changes it"],
    ['"released"', '""', "only what is sold is called otherwise"],
  ],
  "app/orders/returns/fields.ts": [
    ["[]", '["Stryker was here"]', "the first place is not read"],
    ["!productId || !size", "!productId && !size", "the pattern has found both, or neither"],
    ["at === undefined", "false", "there is no piece in that place either"],
    ['""', '"Stryker was here!"', "neither is a number"],
  ],
  "app/orders/returns/steps.ts": [['"Asked for"', '""', "a return is asked for: its words ahead are never shown"]],
};
