/**
 * The shop's messages. The first part holds those that the specification quotes, verbatim, including misspellings; the
 * second part holds the others, by topic, which the owner may change (app/messages/own.ts). They are imported as a
 * whole (`import * as messages`), so that a page's scripts contain none of the first part that it does not use.
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

// Not quoted by the specification: collections
export const collection = {
  notFound: "Collection not found",
  ended: "It may be over. Take a look at these.",
} as const;

// Not quoted by the specification: account
export const verificationLink = {
  used: "This link has already been used. If that was you, your email is verified and you can log in.",
  old: "This link has expired, or we’ve sent you a newer one. Please ask for a new link.",
  asks: "You registered in a different browser. Enter your password to continue.",
  wrongPassword: "That’s not this account’s password. Try again, or choose a new one.",
  disown: (shop: string) =>
    `Somebody registered at ${shop} with your email address. If it wasn’t you, remove the account.`,
  disowned: "We’ve removed the account. Nobody can log in with your address.",
} as const;
export const googleLink = {
  asks: (email: string) =>
    `There’s already an account for ${email}, with a password. If the password is yours, enter it to keep it.`,
  without:
    "Forgot it, or didn’t set it yourself? Continue without it: we’ll remove the password and sign you out everywhere else. Your orders stay.",
  wrongPassword: "That’s not this account’s password. Try again, or continue without it.",
  over: "That took too long. Please sign in again.",
} as const;
export const resetLink = {
  used: "This link has already been used. If that was you, you can log in with your new password.",
  old: "This link has expired, or we’ve sent you a newer one. Please ask for a new link.",
} as const;
export const signInLink = {
  sent: (email: string) =>
    `Many wrong passwords came from your network, so we’re being careful. If yours was right, we’ve just sent a link to ${email}: open it in this browser within 15 minutes, and you’re logged in.`,
  open: "Your password was right. Press the button and you’re logged in.",
  elsewhere: "Please open this link in the browser where you typed your password.",
  over: "This link has already been used or has expired. Please log in again.",
  noCode: "Please log in.",
} as const;
export const session = {
  ended: "You’ve been logged out. Please log in to continue.",
  left: "You’re logged out",
  goesHome: "Your cart and orders will be here next time. Taking you to the home page ...",
  notChanged: "You’ve been logged out, so your cart wasn’t changed. Please log in and try again.",
  keepsTyped:
    "You’ve been logged out, but we’ve kept what you typed in the checkout for 30 minutes: log in again and it’s filled in.",
} as const;
export const settings = {
  saved: {
    name: "Name saved.",
    address: "Address saved.",
    "default-address": "Default address saved.",
    "delete-address": "Address deleted.",
    password: "Password changed. You’ve been signed out everywhere else.",
    sessions: "Signed out on that device.",
    newsletter: "Choice saved.",
  },
  wrongPassword: "That’s not your password.",
  wrongEmail: "That’s not this account’s email.",
} as const;
export const addressBook = {
  none: "Save the places you order to, and checkout fills them in for you.",
  full: (most: number) => `You’ve saved ${most} addresses, the most an account can have. Delete one to add another.`,
  another: "Use a different address",
} as const;
export const deletion = {
  refused: {
    "money-under-way": (orders: string) =>
      `A payment or refund for order ${orders} is still being processed. Please try again within 3 days.`,
    "return-open": (orders: string) =>
      `You have an open return or exchange for order ${orders}. Please withdraw it, or try again when it’s finished.`,
    unsent: (orders: string) =>
      `Order ${orders} is paid but not sent yet, and we need your address to deliver it. Please try again once it’s sent, or cancel it on its page before we’ve packed it.`,
  },
  kept: "We keep order records for at least six years, as accounting law requires: number, date, items and amounts, the country (in Nigeria the state too) and the carrier's number, but no name, email, phone number or address.",
} as const;

// Not quoted by the specification: cart
export const cartOther = {
  noSize: "Please choose a size first.",
  unknownSize: "This product doesn’t come in this size. Please choose another one.",
  full: "Your cart is full. Please log in to continue.",
  tooManyLines: (most: number) => `Your cart is full: it holds ${most} different items. Remove one to add another.`,
  leftOut: (most: number, titles: string) => `A cart holds ${most} different items. We left out the oldest: ${titles}`,
  notAChange: "Please choose a product, a size and a quantity of 1 or more.",
  notLoaded: "We couldn’t load your cart. It’s safe: please try again in a moment.",
  added: (titles: string) => `Added to your cart: ${titles}`,
  mergedUpTo: (most: number) => `We’ve merged your two carts. You can buy up to ${most} of this.`,
  soldOutMeanwhile: (titles: string) => `Just sold out: ${titles}`,
  removed: (title: string) => `${title} was removed.`,
  noLongerSold: "No longer sold: not in your total.",
  soldOut: "Sold out: not in your total.",
  onlyLeft: (units: number) => `Only ${units} left.`,
  mostOfASize: (units: number) => `You can buy up to ${units} of one size in an order.`,
  newPrice: "The price has changed to",
} as const;

// Not quoted by the specification: offers and codes
export const codes = {
  unknown: "This code doesn’t work. Please check the spelling.",
  sum: (needed: string, missing: string) => `This code needs ${needed} of what it’s for: ${missing} more.`,
  pieces: (needed: number, missing: number) => `This code needs ${needed} items that it’s for: ${missing} more.`,
  nothing: "This code isn’t for anything in your cart.",
  onlyOnSale: "This code isn’t for items on sale.",
  "better-without": "Your cart already has a better offer, so this code doesn’t count.",
  "log-in": "This code is for certain customers. Please log in to use it.",
  "not-for-you": "This code is for other customers.",
  "first-order": "This code is for a first order.",
  once: "You’ve used this code already.",
  country: "This code isn’t for the country you’re ordering to.",
  counts: (code: string, offer: string) => `${code} counts: ${offer}`,
  tooMany: "You’ve tried too many codes that don’t work. Please try again later.",
} as const;

// Not quoted by the specification: what the browser keeps
export const kept = {
  noSession: "Your browser blocks cookies. Allow them for this shop to stay signed in.",
  noCart: "Your browser blocks cookies, so it can’t keep your cart. Allow them for this shop.",
  noStorage: "Your browser doesn’t keep your cart: it will be gone after a reload. Allow cookies for this shop.",
} as const;

// Not quoted by the specification: catalogue
export const share = {
  copied: "Link copied.",
  notCopied: "We couldn’t copy the link. You can copy it from the address bar.",
} as const;
export const stockAlert = {
  consent: "We’ll only email you once, when it’s back.",
  sent: "Please open the link in the email we’ve sent you. Then we’ll email you once, when it’s back.",
  confirmed: "We’ll email you once, when it’s back.",
  isBack: "It’s back in stock: you can buy it now.",
  wrongCode: "This link has expired. Please ask again on the product’s page.",
  choose: "Please choose a sold-out size on its product's page.",
} as const;

// Not quoted by the specification: orders and payments
export const order = {
  /** Where an address abroad is chosen, and where an order there is paid by a link. */
  duties: "Your country may charge duties or taxes when the parcel arrives. They aren’t part of what you pay here.",
  wayGone: "We no longer offer this way of delivery there. Please choose again.",
  less: "Your order has the items we still have; the rest stays in your cart.",
  nothingLeft: "Everything in your cart is sold out",
  /** What is said before paying, if an order would not hold everything until it is paid. */
  unheld: {
    stock:
      "We can’t hold these items while you pay. If they’ve sold out when your payment arrives, we’ll cancel the order and refund you in full.",
    stockAndOffers:
      "We can’t hold these items and your offer while you pay. If they’ve sold out or the offer is used up when your payment arrives, we’ll cancel the order and refund you in full.",
  },
  notCharged: "Nothing was charged, and your cart is kept.",
  notSeen: "We can’t see yet whether you were charged. Please don’t pay again.",
  earlierNotSeen:
    "We can’t see yet whether your earlier payment went through, so we haven’t started another one. Your cart is kept. Please try again in a moment.",
  noDelivery:
    "We haven’t set a price for this delivery yet, so you can’t pay for the order. Nothing was charged and your cart is kept. Please contact support.",
} as const;

// Not quoted by the specification: an order that is bought again
export const again = {
  all: (number: string) => `Everything from order ${number} is in your cart.`,
  inSize: (piece: string) => `${piece} is in your cart.`,
  differs: (number: string) => `Not everything is as in order ${number}:`,
  gone: "We no longer sell this.",
  out: "Sold out.",
  noOther: "No other size is in stock.",
  full: "Your cart is full, so we left this out.",
  dearer: "Costs more now:",
  paid: ", you paid",
} as const;

// Not quoted by the specification: a shopper's own order that cannot be cancelled
export const cancelling = {
  "not-sold": "You haven’t paid for this order, so there’s nothing to cancel.",
  "given-back": "This order is already cancelled or refunded.",
  "too-late": ({ returnDays }: { returnDays: number }) =>
    `It’s too late to cancel this order: we’ve already packed it. Nothing was cancelled. You can return items within ${returnDays} days of delivery.`,
  "too-many":
    "You’ve cancelled three orders in the last 30 days. To cancel this one too, please email us before we’ve packed it, and our team will do it for you.",
  ask: "You can’t cancel this order here. Please email us, and our team will take care of it.",
} as const;

// Not quoted by the specification: an order that staff put together, which is paid by a link
export const paying = {
  over: "We no longer hold this order for you. Ask us for a new link, and we’ll see what’s there.",
  paid: "This order is paid.",
  awaited: "A payment for this order is on its way.",
  signIn:
    "To pay, log in with the email address you gave us. No account yet? Create one with that address, confirm it, and open this link again. You’ll see where the order goes before you pay.",
  another:
    "This order is for another email address. To pay, log out, and log in or create an account with the address you gave us.",
  unavailable: "We can’t reach the payment provider right now. Nothing was charged. Please try again in a moment.",
  refused: "The payment provider doesn’t take this order. Nothing was charged. Please ask us, and we’ll sort it out.",
} as const;
// Not quoted by the specification: a shopper's link by which somebody else pays
export const payerLink = {
  notHeld:
    "We can’t hold these items for as long as a link needs, so nobody else can pay for them. You can still pay for them now.",
  lineTooLong: (most: number) => `At most ${most} letters, please.`,
  over: "This link has ended, and we no longer hold the items. Ask the person who sent it for a new one.",
  paid: "Somebody has already paid for this order. There’s nothing more to pay.",
  awaited: "A payment for this order is on its way. Please don’t pay again.",
  email: "Please enter your email address, so that we can send you the receipt.",
  refused: "The payment provider doesn’t take this payment. Nothing was charged. Please check your email address.",
  tooMany:
    "Payments for this order were started with too many email addresses. Nothing was charged. Please use one that you’ve used here before, or ask the person who sent the link to pay.",
  ended: "The link has ended. Your items are still in your cart.",
  thanks: "We’ve received your payment, and your receipt is on its way to your email.",
  waiting: "Your payment hasn’t arrived yet. We’ll keep checking: please don’t pay again.",
  notPaid: "Nothing was charged. To pay, open the link again.",
  goesBack: "We can’t use your payment for this order, so we’re returning all of your money. We’ve sent you an email.",
  checking:
    "We can’t reach the payment provider right now. If you’ve paid, your money is safe and we’ll keep checking. Please don’t pay again.",
} as const;
// Not quoted by the specification: a product that is sold in turns
export const queue = {
  /** `from`: a day and a time; undefined once the queue is open. */
  about: (title: string, from?: string) =>
    from
      ? `So many people want ${title} that you buy it in turns. The queue opens on ${from}. We’ll draw the places of everyone who has joined by then at random, so there’s no need to hurry.`
      : `So many people want ${title} that you buy it in turns.`,
  logIn: "Please log in to join. Each account has one place.",
  unverified: "Please verify your email first, and then join the queue.",
  drawnLater: (from: string) =>
    `You’re in. The queue opens on ${from}, and we’ll draw your place at random then. You have one place, however many tabs you open.`,
  number: (number: number, wait: string) => `You’re number ${number}; ${wait}`,
  onlyNumber: (number: number) => `You’re number ${number}`,
  soon: "You’re in. You’ll see your number in a moment.",
  stay: "This page updates by itself. You keep your place if you close it, but come back in time for your turn.",
  few: "There are fewer left than shoppers before you. What they don’t buy goes to the next in the queue.",
  reserved:
    "Everything that’s left is for shoppers who are paying or choosing. What they don’t buy goes to the next in the queue.",
  held: "We’re holding your items. Go to the checkout to pay.",
  kept: "Nothing was charged, and your cart is safe. To buy your other items now, take this one out of your cart.",
  none: "Sold out: there’s nothing left. If something comes back, it goes to the next in the queue.",
  turn: (until: string, minutes: number) =>
    `It’s your turn until ${until}: you have ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  notHeld: "We’ll hold your items once you press Pay Now. After your turn, it’s the next shopper’s.",
  passed: "Your turn is over. You can join again at the end of the queue.",
  bought: "You’ve bought it in your turn. To buy it again, join at the end of the queue.",
  /** On the product's page. */
  soldInTurns: (from?: string) => (from ? `Sold in turns, from ${from}.` : "Sold in turns."),
} as const;

export const handover = {
  digits: "Enter the four digits of the code.",
  wrong: (left: number) => `That’s not the code. You have ${left === 1 ? "1 try" : `${left} tries`} left.`,
  locked: "Three codes were wrong, so this link is locked. Please contact us, and we’ll send you a new one.",
  delivered: "This parcel has been delivered.",
  ended: "This link has ended. Please contact us before you hand the parcel over.",
} as const;

// Not quoted by the specification: a draft that staff see in the shop
export const preview = {
  refused: "You’re previewing a draft, so you can’t buy or change anything here. Leave the preview first.",
  over: "This preview has ended: its link works once, within a minute. Make a new one in the office.",
} as const;

// Not quoted by the specification: the address of a shopper's own order
export const addressing = {
  done: "Address saved. Your order goes to the address below.",
  "not-sold": "You haven’t paid for this order, so there’s no delivery to change.",
  "given-back": "This order is cancelled or refunded, so there’s no delivery to change.",
  "too-late": "It’s too late to change the address: we’ve already packed this order. Nothing was changed.",
  ask: "You can’t change this order’s address here. Please email us, and our team will take care of it.",
  stale: "This order’s address has changed since you opened this page. Check what you typed, and save it again.",
  dearer: (now: string, paid: string) =>
    `Delivery there costs ${now}, and you paid ${paid}. To send it there, cancel this order and order again.`,
  noPrice: "We have no delivery price for this place. To send it there, cancel this order and order again.",
} as const;

// Not quoted by the specification: changing a size until the order is packed
export const sizing = {
  done: "Size changed. We’ll send what you see below.",
  "not-sold": "You haven’t paid for this order, so there’s no size to change.",
  "given-back": "This order is cancelled or refunded, so there’s no size to change.",
  "too-late": "It’s too late to change a size: we’ve already packed this order. Nothing was changed.",
  ask: "You can’t change this order’s sizes here. Please email us, and our team will take care of it.",
  none: "We have no other size of what you ordered right now.",
  stale: "A size of this order has changed since you opened this page. Check what you chose, and save it again.",
  choose: "Please choose a size.",
  "too-many": "Your order doesn’t have that many of this size.",
  "not-there": "We don’t have that many in this size. Please choose another size, or fewer items.",
} as const;

// Not quoted by the specification: returns and exchanges
export const returns = {
  faults: {
    "no-pieces": "Please choose at least one item.",
    "too-many": "You can’t return that many.",
    "final-sale": "Final sale: you can only return it if it came damaged or isn’t what you ordered.",
    "not-that-size": "We don’t have it in this size.",
    "not-that-color":
      "We can’t send this colour in exchange: only one that we sell at the same price. Please choose again.",
    "same-size": "Please choose a different size from the one you have.",
    "sold-out": "This size has just sold out. Please choose another size or a refund.",
    "too-late": ({ returnDays }: { returnDays: number }) => `The ${returnDays} days for returns have passed.`,
    "too-late-for-damage": ({ damageHours }: { damageHours: number }) =>
      `Damage must be reported within ${damageHours} hours of delivery. That time has passed: please email us.`,
    "no-words": "Please tell us what’s wrong with it.",
  },
  noReason: "Please choose a reason.",
  closed: {
    "not-sold": "This order is being refunded, so there is nothing to return.",
    "not-sent":
      "It hasn’t been sent yet. Until we’ve packed it, you can change its address or a size, or cancel it, on the order’s page. For anything else, please email us.",
    "came-back": "We have it back.",
    "too-late": ({ returnDays }: { returnDays: number }) => `The ${returnDays} days for returns have passed.`,
    "nothing-left": "You’ve already returned everything, or asked to.",
  },
  notWithdrawn: "It’s too late to withdraw it.",
  pictures: {
    "no-picture": "We can’t read this picture. Please choose a JPEG, PNG or WebP.",
    "too-slow":
      "Your pictures take too long to open. Please send one at a time. If that doesn’t help, take it again or save it as a JPEG.",
    "too-large": "A picture can be up to 8 MB. Please choose a smaller one.",
    "too-many": "You’ve already added four pictures.",
    "not-open": "We’ve already decided, so you can’t add pictures now.",
    none: "Please choose a picture.",
    busy: "Too many pictures are being sent right now. Please try again in a moment.",
    away: "We couldn’t save your picture. Please try again in a moment.",
    "too-often": "Too many tries. Please wait a moment and try again.",
  },
} as const;

// Not quoted by the specification: every form
export const form = {
  required: (label: string) => `Please enter your ${label}.`,
  email: "Please enter a valid email address.",
  postalCode: "Please enter a valid postal code.",
  tooLong: "That is too long.",
  notAName: "Please enter a name without web addresses, and with a space after each dot.",
  lookAtMarked: "Please look at the marked fields.",
  emailRefused: "The payment provider doesn’t accept this email address. Please enter another one.",
  paymentRefused:
    "The payment provider doesn’t accept this payment. Nothing was charged and your cart is kept. Please contact support.",
  tooOften: "Too many tries. Please wait a moment and try again.",
  unavailable: "We can’t do this right now. Please try again in a moment.",
} as const;
