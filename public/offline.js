// For offline.html, which stands in place of a page that was not visited, until the network comes back. In place of the
// cart it shows a guest's, which this browser keeps (app/cart/guest-item.ts). An account's cart is on the server alone.
addEventListener("online", comeBack);
if (navigator.onLine) setTimeout(comeBack, 2000); // the event was over before this page was there
if (/^\/cart\/?$/i.test(location.pathname)) showCart(storedCart());

/** Loads the page that was asked for once the shop answers: the network may be back some moments before it does. */
async function comeBack() {
  try {
    await fetch("/healthz", { cache: "no-store" });
    location.reload();
  } catch {
    setTimeout(comeBack, 2000);
  }
}

function storedCart() {
  try {
    if (localStorage.getItem("cartUserId")) return { isInAccount: true, items: [] };
    const items = JSON.parse(localStorage.getItem("cart") ?? "[]");
    return { items: Array.isArray(items) ? items.filter((item) => item?.title && item.quantity >= 1) : [] };
  } catch {
    return { items: [] }; // an old or foreign value, or storage is refused
  }
}

function showCart({ isInAccount, items }) {
  const [title, text, list] = document.querySelectorAll("h1, p, ul");
  document.title = "Your cart | Irepo";
  title.textContent = "Your cart";
  const about = isInAccount
    ? "Your cart is in your account: it is shown as soon as the network is back."
    : items.length === 0
      ? "Your cart is empty."
      : "This is what your cart has, at the prices of when you added it. Checkout needs the network.";
  text.textContent = `You’re offline. ${about}`;
  if (items.length === 0) return;
  list.hidden = false;
  list.append(...items.map(lineOf));
}

function lineOf({ title, color, selectedSize, quantity, price }) {
  const line = document.createElement("li");
  const what = [title, color, selectedSize === "ONE" ? "" : selectedSize].filter(Boolean).join(", ");
  for (const words of [`${quantity} × ${what}`, `$${(Number(price) * quantity).toFixed(2)}`]) {
    const part = document.createElement("span");
    part.textContent = words;
    line.append(part, " ");
  }
  return line;
}
