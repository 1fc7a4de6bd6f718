/**
 * What the shop stores in a shopper's browser, as shoppers read it: what for, and how long. `names` are those of its
 * cookies (which begin with "irepo") and of its keys in local and session storage; none for the pages themselves.
 */
export type Kept = { names: string[]; text: string };

/** All of it. The privacy policy and the notice on the home page list it; privacy.test.ts compares it with the code. */
export const KEPT: Kept[] = [
  {
    names: ["irepo.session", "irepo_in", "user", "cartUserId"],
    text: "Who is signed in: a session cookie and one that says there is a session, both for 30 days, and your name, email address and account number, so that our pages can greet you and show your cart. Logging out clears them.",
  },
  {
    names: [
      ...["cart", "cartMergeId", "checkoutIntent", "noScriptCartMoved"],
      ...["irepo.items", "irepo.key", "irepo.code"],
    ],
    text: "Your cart as a guest, until you empty it, log in or log out; whether you were on your way to the checkout; and random numbers that keep a piece from being counted twice, which stay, one of them in a cookie for 30 days. Without script the cart is in a cookie for 7 days, and so is a code that you typed before you logged in.",
  },
  {
    names: ["irepo_currency", "currency"],
    text: "The currency that you chose. It stays, and is in a cookie for a year, too, so that prices are right from the start.",
  },
  {
    names: ["deliverTo"],
    text: "The place that delivery is shown for: a state, a pick-up center or a country, never a street. It stays, so that prices are right at your next visit.",
  },
  {
    names: ["measures"],
    text: "Your own measures, if you type them into a size guide, to mark the size that fits. They stay until you remove them there, and we never see them.",
  },
  {
    names: [],
    text: "The pages you’ve visited last, 60 at most and none of your account, cart or orders, so you can read them offline. They stay until we update the shop.",
  },
  {
    names: ["checkoutDraft", "cartUnsent", "toasts", "react-router-scroll-positions"],
    text: "Until you close the tab: what you typed in the checkout, changes of your cart on their way to us, messages for the next page, and how far you had scrolled.",
  },
  {
    names: ["irepo.typed"],
    text: "If you were logged out while you filled in the checkout without script: for 30 minutes, a cookie with what you typed there, so that it’s filled in after you log in again. No other account sees it.",
  },
  {
    names: ["irepo.device"],
    text: "For a year after you have logged in, a cookie which says that your account was used in this browser, so that strangers who guess passwords can’t lock you out. It lets nobody in.",
  },
  {
    names: ["irepo.registered"],
    text: "For 30 days after you have registered, a cookie with which the link in our mail verifies your address in this browser without asking for your password.",
  },
  {
    names: ["irepo.verify", "irepo.reset", "irepo.mailed", "irepo.asked", "irepo.google"],
    text: "For up to 15 minutes, cookies for a link in our mail that you have opened or asked for, and for a sign-in with Google on its way.",
  },
  {
    names: ["irepo.notice"],
    text: "For a year, a cookie which says that you have read the notice about all this on our home page.",
  },
  {
    names: ["irepo.preview"],
    text: "For 30 minutes, a cookie with which our staff see a page before it’s published. Nobody else has it.",
  },
];
