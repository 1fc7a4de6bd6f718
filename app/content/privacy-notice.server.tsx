import { renderToStaticMarkup } from "react-dom/server";
import { YEAR } from "#app/infra/durations.ts";
import { cookieIn, cookieName, serverCookie } from "#app/infra/http/cookie.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { KEPT } from "./kept.ts";

const COOKIE = "irepo.notice";
/** The value of the cookie. A new one shows the notice to everybody again: for whatever needs an answer of its own. */
const ANSWER = "1";

/** Whether the visitor with these cookies, as a raw header, has answered the notice. */
export function hasAnsweredNotice(cookies: string): boolean {
  return cookieIn(cookies, COOKIE) === ANSWER;
}

/** The Cookie header of a visitor who has answered the notice. */
export function answeredNotice(): string {
  return `${cookieName(COOKIE)}=${ANSWER}`;
}

/** The Set-Cookie value of the answer. */
export function noticeCookie(): string {
  return serverCookie(COOKIE, ANSWER, YEAR);
}

/**
 * The home page's notice of what the shop keeps, as HTML. The server renders it, so that browsers download no script
 * for what they show once. `name`: the shop's.
 */
export function privacyNotice(name: string): string {
  return renderToStaticMarkup(
    <section aria-labelledby="kept" className="mb-5 border-b border-hairline lg:mb-0">
      <div className="page grid gap-x-16 gap-y-3 pt-2.5 pb-4 lg:pt-5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id="kept" className="text-lg font-semibold">
            What {name} keeps about you
          </h2>
          <p className="max-w-[72ch] text-pretty text-muted">
            To deliver your orders: your name, email, phone number and address, what you’ve bought, and that it’s paid.
            In this browser: your cart, your login and your choices. No ads, no trackers, and we never sell your data.
            You can see, correct or delete it in your account.
          </p>
          <details>
            <summary className="inline-flex min-h-11 items-center text-sm underline underline-offset-4">
              What’s in this browser, and for how long
            </summary>
            <ul className="grid max-w-[72ch] list-disc gap-2 pb-2 pl-5 text-sm">
              {KEPT.map(({ names, text }) => (
                <li key={text}>
                  {text}
                  {names.length > 0 && (
                    <span className="text-muted wrap-anywhere"> ({names.map(shown).join(", ")})</span>
                  )}
                </li>
              ))}
            </ul>
          </details>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1 lg:self-start">
          <form method="post" action="/?index">
            <Button look="outline" name="notice" value={ANSWER}>
              Got it
            </Button>
          </form>
          <Link to="/privacy-policy" className="inline-flex min-h-11 items-center text-sm underline underline-offset-4">
            Our privacy policy
          </Link>
        </div>
      </div>
    </section>,
  );
}

const shown = (name: string) => (name.startsWith("irepo") ? cookieName(name) : name);
