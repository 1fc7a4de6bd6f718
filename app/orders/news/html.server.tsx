import { renderToStaticMarkup } from "react-dom/server";
import { ButtonLink } from "#app/ui/button.tsx";
import { ClockIcon, CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { Steps } from "../fulfilment/steps.tsx";
import type { AwaitedOrder, NewSale, News } from "./news.ts";

/**
 * The home page's news for one shopper, as HTML. The server renders the HTML, so that browsers download no script for
 * what few shoppers see.
 */
export function newsHtml({ sale, awaited }: News): string {
  return renderToStaticMarkup(
    <>
      {awaited && <AwaitedStrip {...awaited} />}
      {sale && <Greeting {...sale} />}
    </>,
  );
}

function Greeting({ title, number, reference, email, sum, paid, steps, pictures }: NewSale) {
  return (
    <section aria-labelledby="thanks" className="bg-linen">
      <div className="page relative grid gap-6 pt-7 pb-8 lg:grid-cols-[1.15fr_1fr] lg:gap-x-20 lg:py-6 xl:py-10">
        <div className="grid content-start gap-2.5 pr-11">
          <h2 id="thanks" className="headline text-balance text-[1.75rem] lg:text-4xl">
            {title}
          </h2>
          <p className="max-w-xl wrap-anywhere">
            Order <b className="price font-semibold">{number}</b>. <span className="price">{sum}</span> paid {paid}.
            {email && ` The receipt is on its way to ${email}.`}
          </p>
        </div>
        <Steps
          steps={steps}
          label="What happens next"
          className="lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:pr-14"
        />
        <div className="grid gap-6 lg:flex lg:flex-wrap lg:items-end">
          <ul aria-label="What you bought" className="flex flex-wrap gap-2 empty:hidden">
            {pictures.map((image) => (
              <li key={image.hash} className="w-22 lg:w-28">
                <Picture image={image} sizes="112px" upTo={320} eager />
              </li>
            ))}
          </ul>
          <ButtonLink to={`/order/${reference}`} className="justify-self-start">
            See your order
          </ButtonLink>
        </div>
        <form method="post" action="/?index" className="absolute top-3 right-2 lg:right-8">
          <button type="submit" name="dismiss" value={reference} className="grid size-11 place-items-center">
            <CloseIcon />
            <span className="sr-only">Dismiss</span>
          </button>
        </form>
      </div>
    </section>
  );
}

/** A plain strip, as the shopper can only wait. */
function AwaitedStrip({ sum, byPayer, started }: AwaitedOrder) {
  return (
    <div role="status" className="bg-ember/15">
      <p className="page flex flex-wrap items-center gap-x-5 gap-y-0.5 py-2 text-[0.9375rem]">
        <ClockIcon className="size-5 shrink-0 text-ember-deep" />
        <span className="flex-1 basis-52">
          {byPayer ? "Your payer’s payment of" : "Your payment of"} <b className="price font-semibold">{sum}</b> has not
          arrived yet. Started {started}.
        </span>
        <Link to="/checkout" className="inline-flex min-h-11 items-center underline underline-offset-4">
          Check again
        </Link>
      </p>
    </div>
  );
}
