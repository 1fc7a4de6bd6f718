/** The actions of the audit log in words, to be placed after a member's name. */
export const ACT_WORDS: Partial<Record<string, string>> = {
  "orders pack": "packed this order",
  "orders fulfil": "marked this order as sent",
  "orders ready": "marked this order as ready for pick-up",
  "orders deliver": "marked this order as delivered",
  "orders take back": "took back the last step",
  "orders return": "marked this order as come back",
  "orders cancel": "cancelled this order",
  "orders refund": "gave money back",
  "orders resolve": "looked into what needed a person",
  "orders address": "changed the address",
  "orders resend": "sent a mail again",
  "returns approve": "approved this return",
  "returns decline": "declined this return",
  "returns receive": "said that the pieces are back",
  "returns refund": "gave its money back",
  "returns exchange": "sent the other size",
};
