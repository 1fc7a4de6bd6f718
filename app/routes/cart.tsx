import { useEffect, useRef } from "react";
import { data, redirect } from "react-router";
import { showAuthDialog } from "#app/account/auth-dialog.browser.ts";
import { AuthDialogPlace } from "#app/account/auth-dialog-place.tsx";
import { plainFormKey, renewedKeyCookie } from "#app/account/session/cookies.server.ts";
import { currentUser, summaryOf } from "#app/account/session/store.server.ts";
import { rememberUser } from "#app/account/session/summary.browser.ts";
import { addToCart, changeSize, getCart, priceGuestCart, removeFromCart, setQuantity } from "#app/cart/cart.server.ts";
import { type Cart, limitText } from "#app/cart/cart.ts";
import { cartForm } from "#app/cart/change-fields.ts";
import { CheckoutLink } from "#app/cart/checkout-link.tsx";
import { CartFoot, CartList, EmptyCart, Undo } from "#app/cart/list.tsx";
import { useNoScriptCart } from "#app/cart/no-script-cart.browser.ts";
import {
  changeNoScriptCart,
  hasNoScriptLine,
  type NoScriptChange,
  readNoScriptCart,
} from "#app/cart/no-script-cart.server.ts";
import { codeCookie, guestCode, isCode, setCode } from "#app/cart/offers/code.server.ts";
import { CodeForm } from "#app/cart/offers/code.tsx";
import { SizeChoice } from "#app/cart/sizes/choice.tsx";
import { useCart } from "#app/cart/store.browser.ts";
import { listCards } from "#app/catalog/catalog.server.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { findPreview } from "#app/content/preview/preview.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { mayRefuseCookies } from "#app/infra/http/cookie.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { localLimit } from "#app/infra/http/local-limit.server.ts";
import { addressOf } from "#app/infra/http/network.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { limit, takeTry } from "#app/infra/http/rate-limit.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { readAgainNews } from "#app/orders/again/again.server.ts";
import { AgainNotice } from "#app/orders/again/notice.tsx";
import { DeliverTo } from "#app/shipping/place/deliver-to.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { barHtml } from "#app/ui/frame/bar.server.tsx";
import { NoticeBar } from "#app/ui/frame/notice-bar.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { Wordmark } from "#app/ui/frame/wordmark.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { useArrivalFocus } from "#app/ui/use-arrival-focus.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { Route } from "./+types/cart";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Your cart", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** More changes than a person can make by hand. */
const CHANGES_A_MINUTE = 240;
/** The number of products shown with an empty cart. */
const ARRIVALS = 4;
/** Requests a minute from one network, shared by all its visitors. */
const limitGuests = localLimit("guest cart form", 3000);

export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const user = await currentUser(request);
  const [{ rate }, arrivals, { notice }, preview] = await Promise.all([
    rateInForce(db()),
    listCards(db(), {}, ARRIVALS),
    shopSettings(db()),
    findPreview(db(), request.headers.get("cookie") ?? ""),
  ]);
  const { items: noScript } = readNoScriptCart(request);
  if (query.has(CHECKS) && noScript.length > 0) throw redirect(withoutCheck(query), 303);
  const cart = user
    ? await getCart(db(), user.id)
    : noScript.length > 0
      ? await priceGuestCart(db(), noScript, guestCode(request))
      : undefined;
  return {
    cart,
    capped: cart && cappedText(cart, query),
    again: user && cart && (await readAgainNews(db(), user.id, query, cart)),
    blocked: query.has(CHECKS) && !user,
    user: user ? summaryOf(user) : null,
    rate,
    arrivals,
    hasNoScriptCart: noScript.length > 0,
    bar: barHtml({ demo: env.demoPayments, demoMail: env.demoMail, notice, draft: preview !== undefined }),
    google: Boolean(env.google),
  };
}

/**
 * The query parameter of the redirect after a plain form, if the browser may refuse cookies: the next request shows
 * whether it accepts them.
 */
const CHECKS = "checked";

function withoutCheck(query: URLSearchParams): string {
  query.delete(CHECKS);
  return query.size > 0 ? `/Cart?${query}` : "/Cart";
}

/** The URL of the cart after an addition of which only a part fitted into the stock. */
function cappedCart({ id, size }: { id: string; size: string }): string {
  return `/Cart?${new URLSearchParams({ capped: id, size })}`;
}

/** The reason why only a part of an addition is in the cart, as a message for the shopper. */
function cappedText({ lines }: Cart, query: URLSearchParams): string | undefined {
  const line = lines.find(({ id, size }) => id === query.get("capped") && size === query.get("size"));
  return line && line.quantity >= line.maxQuantity ? limitText(line) : undefined;
}

export async function action({ request }: Route.ActionArgs) {
  const fields = await readForm(request);
  if (fields.intent === "add" && fields.id && !fields.size) return refusal(messages.cartOther.noSize, fields.id);
  const parsed = cartForm.safeParse(fields);
  if (!parsed.success) return refusal(messages.cartOther.notAChange);
  const wanted = parsed.data;
  const user = await currentUser(request);
  if (wanted.intent === "code") return changeCode(request, user?.id, wanted.code || null);
  if (!user) return changeAsGuest(request, wanted);
  const limited = await limit(db(), [`cart form of ${user.id}`, CHANGES_A_MINUTE, MINUTE]);
  if (!limited.ok)
    return refusal(messages.form.tooOften, undefined, 429, { "Retry-After": String(limited.retryAfter) });
  if (wanted.intent === "remove") {
    await removeFromCart(db(), user.id, wanted);
    return redirect("/Cart", 303);
  }
  if (wanted.intent === "set") {
    const done = await setQuantity(db(), user.id, wanted);
    return done.ok ? redirect("/Cart", 303) : refusal(done.problem);
  }
  if (wanted.intent === "size") {
    const done = await changeSize(db(), user.id, wanted);
    return done.ok
      ? redirect(done.isCapped ? cappedCart({ id: wanted.id, size: wanted.to }) : "/Cart", 303)
      : refusal(done.problem);
  }
  const key = plainFormKey(request, user.id, wanted.id, wanted.size, String(wanted.quantity));
  const done = await addToCart(db(), user.id, { ...wanted, key });
  if (!done.ok) return refusal(done.problem);
  const cart = done.change.isCapped ? cappedCart(wanted) : "/Cart";
  return redirect(cart, { status: 303, headers: { "Set-Cookie": renewedKeyCookie() } });
}

/** Codes that don't work, in an hour, for one account. */
const WRONG_CODES = 30;
/** Codes in an hour from one network, before each has to wait for its turn. */
const CODES_AT_ONCE = 300;

/**
 * Keeps the code, also one that does not count, so that the cart says why. An account that has typed too many wrong
 * ones cannot go on guessing; a network's codes wait, right ones, too, which are never refused for others' mistakes.
 */
async function changeCode(request: Request, userId: string | undefined, code: string | null) {
  const turn = await networkTurn(db(), request, "codes", [CODES_AT_ONCE, HOUR]);
  const own = code && userId ? await takeTry(db(), `wrong codes of ${userId}`, WRONG_CODES, HOUR) : undefined;
  if (!turn.ok || own?.ok === false) return refusal(messages.codes.tooMany, undefined, 429);
  if (own && code && (await isCode(db(), code))) await own.giveBack();
  if (userId) await setCode(db(), userId, code);
  return redirect("/Cart", userId ? 303 : { status: 303, headers: { "Set-Cookie": codeCookie(code) } });
}

/**
 * Changes the cart of a guest without JavaScript; with JavaScript, the browser changes its own cart. If the guest's
 * cart lacks the line, it belongs to an account whose session has ended.
 */
async function changeAsGuest(request: Request, wanted: NoScriptChange) {
  const isThere = hasNoScriptLine(request, wanted);
  const isRepeat = wanted.intent === "size" && hasNoScriptLine(request, { id: wanted.id, size: wanted.to });
  if (wanted.intent !== "add" && !isThere) return redirect(isRepeat ? "/Cart" : "/login?next=/Cart", 303);
  const limited = limitGuests(addressOf(request));
  if (!limited.ok)
    return refusal(messages.form.tooOften, undefined, 429, { "Retry-After": String(limited.retryAfter) });
  const done = await changeNoScriptCart(db(), request, wanted);
  if (!done.ok) return refusal(done.problem);
  const size = wanted.intent === "size" ? wanted.to : wanted.size;
  const cart = done.isCapped ? cappedCart({ id: wanted.id, size }) : "/Cart";
  const checks = `${cart}${cart.includes("?") ? "&" : "?"}${CHECKS}`;
  return redirect(mayRefuseCookies(request) ? checks : cart, { status: 303, headers: { "Set-Cookie": done.cookie } });
}

/** `sizesOf` is the id of the product for which a size must be chosen first. */
function refusal(problem: string, sizesOf?: string, status = 400, headers?: HeadersInit) {
  return data({ problem, sizesOf }, { status, headers });
}

export default function CartPage({ loaderData, actionData }: Route.ComponentProps) {
  // Runs before the cart is loaded: a browser that lost its local storage may still be signed in.
  useEffect(() => {
    if (loaderData.user) rememberUser(loaderData.user);
  }, [loaderData.user]);
  const isInCookie = useNoScriptCart(loaderData.hasNoScriptCart) && !loaderData.user;
  const { cart: own, removed, failed } = useCart(loaderData.user ? loaderData.cart : undefined);
  const cart = isInCookie ? loaderData.cart : own;
  const main = useRef<HTMLElement>(null);
  useArrivalFocus(main, "/Cart"); // this page is outside of the shared layout, which does this for all other pages
  return (
    <div className="flex min-h-dvh flex-col">
      <NoticeBar bar={loaderData.bar} />
      <main ref={main} tabIndex={-1} className="mx-auto outline-none flex w-full max-w-2xl flex-auto flex-col">
        <header className="flex h-16 items-center justify-between gap-3 border-b border-hairline px-5">
          <Wordmark />{" "}
          <ButtonLink to="/shop" look="quiet">
            Continue Shopping
          </ButtonLink>
        </header>
        <h1 className="display px-5 pt-6 text-3xl">CART</h1>
        {loaderData.capped && !actionData && (
          <div className="px-5 pt-4">
            <FormError>{loaderData.capped}</FormError>
          </div>
        )}
        {loaderData.again && !actionData && (
          <div className="px-5 pt-4">
            <AgainNotice {...loaderData.again} rate={loaderData.rate} rateThen={loaderData.again.rate} />
          </div>
        )}
        {loaderData.blocked && !actionData && (
          <div className="px-5 pt-4">
            <FormError>{messages.kept.noCart}</FormError>
          </div>
        )}
        {actionData?.problem && (
          <div className="px-5 pt-4">
            <FormError>{actionData.problem}</FormError>
            {actionData.sizesOf && (
              <ButtonLink
                to={`/singleProduct/${encodeURIComponent(actionData.sizesOf)}`}
                look="outline"
                className="mt-4"
              >
                Choose a size
              </ButtonLink>
            )}
          </div>
        )}
        <Undo removed={removed} />
        {!cart && <Waiting failed={failed} />}
        {cart?.lines.length === 0 && (
          <>
            <EmptyCart />
            {!loaderData.user && (
              <ButtonLink to="/login?next=/Cart" look="quiet" className="mx-5 self-start">
                Log in to see the cart of your account
              </ButtonLink>
            )}
            {loaderData.arrivals.length > 0 && (
              <section aria-labelledby="new" className="px-5 py-10 [&>ul]:grid-cols-2">
                <h2 id="new" className="headline mb-6 text-2xl">
                  New arrivals
                </h2>
                <ProductGrid products={loaderData.arrivals} rate={loaderData.rate} />
              </section>
            )}
          </>
        )}
        {cart && cart.lines.length > 0 && (
          <>
            <div className="flex-1">
              <CartList cart={cart} rate={loaderData.rate} sizeOf={(line) => <SizeChoice line={line} />} />
              {cart.offers && (
                <div className="border-t border-hairline px-5">
                  <CodeForm offers={cart.offers} />
                </div>
              )}
            </div>
            <div className="sticky low:static bottom-0">
              <CartFoot
                cart={cart}
                rate={loaderData.rate}
                delivery={<DeliverTo rate={loaderData.rate}>{"Delivery is added for your location. "}</DeliverTo>}
              >
                <CheckoutLink onGuest={() => showAuthDialog("login", "/checkout")}>Checkout</CheckoutLink>
              </CartFoot>
            </div>
          </>
        )}
        <AuthDialogPlace google={loaderData.google} />
      </main>
    </div>
  );
}

function Waiting({ failed }: { failed: boolean }) {
  const hydrated = useHydrated(); // without script nothing is loaded, and nobody may read that it is
  return (
    <div className="grid flex-1 place-items-center px-6 text-center">
      {failed ? (
        <p>{messages.cartOther.notLoaded}</p>
      ) : (
        <span className="[@media(scripting:none)]:hidden">
          <Spinner label={hydrated ? "Loading your cart" : ""} />
        </span>
      )}
      <noscript>
        <EmptyCart />
        <ButtonLink to="/login?next=/Cart">Log in to see your cart</ButtonLink>
      </noscript>
    </div>
  );
}
