/**
 * The sentences that the shop answers with. The first part holds those that the specification quotes, to the letter, misspelling included; the
 * second part the others, room by room. They are imported as a whole (`import * as messages`): what no page says is then left out of its scripts.
 */
export const subscribe = {
  incomplete: "Please fill in all fields.",
  failed: "Error subscribing. Please try again.",
  done: "Successfully subscribed!",
} as const;
export const register = {
  weakPassword: "Password should be at least 6 characters long",
  emailInUse: "Email already in use",
  failed: "Registration failed. Please try again.",
  done: "Verification Email sent. Please check your inbox",
  verifyPage: "Verfication Email sent. Please check your inbox",
  verifyPageTitle: "Verfication Email sent",
} as const;
export const login = {
  unverified: "Please verify your email before logging in",
  noUserRecord: "User data not found",
  invalid: "Invalid email or password. Please try again.",
  failed: "Login failed",
  done: "Welcome, Login Successful!",
} as const;
export const google = {
  cancelled: "Sign in cancelled by user",
  loginFailed: "Failed to sign in with Google",
  registerFailed: "Failed to sign in with Google. Please try again.",
  done: "Successfully signed in with Google!",
} as const;
export const forgot = { failed: "Failed to reset password", done: "We sent you a mail! Check your inbox" } as const;
export const reset = {
  failed: "Error resetting password. Please try again.",
  done: "Password reset successful!",
} as const;
export const verification = {
  working: "Verifying your email...",
  done: "Email verified successfully! You can now log in.",
  noCode: "Invalid verification link.",
  failed: "Email verification failed. Please try again.",
} as const;
export const cart = {
  aboveStock: "Cannot exceed available stock for this size",
  adjusted: "Some items quantities were adjusted due to available stock",
  mergeFailed: "Error merging cart items",
  empty: "Your cart is empty",
  emptyHint: "Add something to your cart",
  note: "Shipping & taxes calculated at checkout",
} as const;
export const checkout = {
  loggedOut: "Please log in to continue to checkout",
  loginPrompt: "Hello, You need to log in to check out seamlessly",
  phone: "Please enter a valid phone number",
  emptyTitle: "Your cart is empty",
  emptyText: "You have nothing to checkout",
  emptied: "You don't have any items to checkout",
} as const;
export const payment = {
  dialogTitle: "Choose a Payment Method",
  crypto: "Crypto (Not available)",
  notNaira: "Paystack payments are only available for Nigerian Naira (NGN) transactions",
  recordingFailed: "Payment successful but error recording sale. Please contact support.",
  done: "Payment successful! Order has been recorded.",
  noWallet: "No wallet payment method is available on this device",
  walletNotStarted: "Could not initiate apple pay transaction",
  wallet: "An error occurred while paying with Apple Pay. Please try again or use another payment method.",
} as const;
export const account = {
  noOrders: "You haven't placed any orders yet.",
  signedOut: "User not Logged in",
} as const;
export const product = { notFound: "Product not found" } as const;

// Not quoted by the specification: account
export const verificationLink = {
  used: "This link has been used already. If that was you, your email is verified: you can log in.",
  old: "This link is too old, or newer ones have been sent since. Please ask for a new one.",
  disown: "Somebody registered at Irepo with your email address. If it was not you, remove the account.",
  disowned: "The account is removed. Nobody can sign in with your address.",
} as const;
export const resetLink = {
  used: "This link has been used already. If that was you, your new password is set: you can log in with it.",
  old: "This link is too old, or newer ones have been sent since. Please ask for a new one.",
} as const;
export const session = {
  ended: "You have been logged out. Please log in to go on.",
  notChanged: "You have been logged out, so your cart was not changed. Please log in and try again.",
} as const;
export const settings = {
  saved: {
    name: "Your name is saved.",
    password: "Your password is changed. All other devices have been signed out.",
    sessions: "Signed out there.",
    newsletter: "Your choice is saved.",
  },
  wrongPassword: "That is not your password.",
  wrongEmail: "That is not the email of this account.",
} as const;
export const deletion = {
  refused: {
    "money-under-way": (orders: string) =>
      `A payment or a refund of the order ${orders} may still be under way. Please try again when it has ended: at the latest 3 days after the last press on Pay.`,
    "return-open": (orders: string) =>
      `A return or an exchange of the order ${orders} is open. Please withdraw it, or try again when it has ended.`,
    unsent: (orders: string) =>
      `The order ${orders} is paid and not sent yet: without the address it could not arrive. Please try again when it has been sent, or ask us to cancel it.`,
  },
  kept: "Orders stay in the books for at least six years, as accounting law asks: their number, date, pieces and sums, the country (in Nigeria the state too) and the carrier's number, but no name, mail address, phone number or address.",
} as const;

// Not quoted by the specification: cart
export const cartOther = {
  noSize: "Please choose a size first.",
  unknownSize: "This product does not come in this size. Please choose another one.",
  full: "Your cart is full. Please log in to go on.",
  notAChange: "Please choose a product, a size and a quantity of 1 or more.",
  notLoaded: "Your cart could not be loaded. It is not lost: please try again in a moment.",
  added: (titles: string) => `Now in your cart: ${titles}`,
  soldOutMeanwhile: (titles: string) => `Sold out meanwhile: ${titles}`,
  removed: (title: string) => `${title} was removed.`,
  noLongerSold: "No longer sold: not part of the sum.",
  soldOut: "Sold out: not part of the sum.",
  onlyLeft: (units: number) => `Only ${units} left.`,
  mostOfASize: (units: number) =>
    `At most ${units} ${units === 1 ? "piece" : "pieces"} of one size can be bought in one order.`,
  newPrice: (price: string) => `The price has changed to ${price}.`,
} as const;

// Not quoted by the specification: catalogue
export const share = {
  copied: "The link is copied.",
  notCopied: "The link could not be copied. It stands in the address bar.",
} as const;
export const stockAlert = {
  consent: "For one mail when it is back, and nothing else.",
  sent: "Please open the link in the mail that we have sent you: then we write once, when it is back.",
  confirmed: "We will write to you once, when it is back.",
  isBack: "It is back in stock: you can buy it now.",
  wrongCode: "This link is not good any more. Please ask again on the product's page.",
  choose: "Please choose a sold-out size on its product's page.",
} as const;

// Not quoted by the specification: orders and payments
export const order = {
  less: "Your order has what can still be had; the rest stays in your cart.",
  nothingLeft: "Everything in your cart is sold out",
  holdsNothing:
    "We cannot put these pieces aside while you pay: if not all of them are left when your payment arrives, there is no order and all of your money goes back to you.",
  notCharged: "Nothing was charged, and your cart is kept.",
  notSeen: "We cannot see yet whether you were charged. Please do not pay again.",
  earlierNotSeen:
    "We cannot see right now whether your earlier payment went through, so we have not begun another one. Your cart is kept. Please try again in a moment.",
  noDelivery:
    "We have not set the price of this delivery yet, so the order cannot be paid for. Nothing was charged and your cart is kept. Please contact support.",
} as const;

// Not quoted by the specification: returns and exchanges
export const returns = {
  faults: {
    "no-pieces": "Please choose at least one piece.",
    "too-many": "So many cannot come back any more.",
    "final-sale": "Final sale: it cannot be returned, unless it came damaged or is not what you ordered.",
    "not-that-size": "It does not come in this size.",
    "same-size": "Please choose another size than the one that you have.",
    "sold-out": "This size is sold out meanwhile. Please choose another one, or your money back.",
    "too-late": "The 14 days are over.",
    "too-late-for-damage":
      "Damaged or wrong pieces are told within 48 hours of delivery, and they are over. Please write to us.",
    "no-words": "Please tell us what is wrong with it.",
  },
  noReason: "Please choose a reason.",
  closed: {
    "not-sold": "Its money goes back, or has gone back: nothing of it can be returned.",
    "not-sent": "It has not been sent yet. Please write to us if you want to change or cancel it.",
    "came-back": "It is back with us.",
    "too-late": "The 14 days in which it could be returned are over.",
    "nothing-left": "Every piece of it is in a return already, or has come back.",
  },
  notWithdrawn: "It cannot be withdrawn any more.",
  pictures: {
    "no-picture": "This is no picture that we can read. Please choose a JPEG, PNG or WebP.",
    "too-large": "A picture has at most 8 MB. Please choose a smaller one.",
    "too-many": "There are four pictures already.",
    "not-open": "It has been decided: no picture can be added any more.",
    none: "Please choose a picture.",
    busy: "Too many pictures are being sent right now. Please try again in a moment.",
    away: "Your picture could not be kept right now. Please try again in a moment.",
    "too-often": "Too many tries. Please wait a little and try again.",
  },
} as const;

// Not quoted by the specification: every form
export const form = {
  required: (label: string) => `Please enter your ${label}.`,
  email: "Please enter a valid email address.",
  postalCode: "Please enter a valid postal code.",
  tooLong: "That is too long.",
  notAName: "Please enter a name without web addresses and control characters, and with a space after each dot.",
  lookAtMarked: "Please look at the marked fields.",
  emailRefused: "The payment provider does not accept this email address. Please enter another one.",
  paymentRefused:
    "The payment provider does not accept this payment. Nothing was charged and your cart is kept. Please contact support.",
  tooOften: "Too many tries. Please wait a little and try again.",
  unavailable: "We cannot do this right now. Please try again in a moment.",
} as const;
