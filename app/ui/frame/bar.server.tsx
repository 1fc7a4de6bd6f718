import { renderToStaticMarkup } from "react-dom/server";
import { Link } from "#app/ui/link.tsx";

type Props = {
  demo: boolean;
  demoMail: boolean;
  /** The owner's notice, or empty. */
  notice: string;
  /** Whether this browser previews a draft. */
  draft: boolean;
};

/** The last result, cached because it is usually the same for all pages. */
let last: { key: string; html: string } | undefined;

/**
 * The bar above every page, as HTML. It needs no JavaScript, so the browser does not load its code. Empty if there is
 * nothing to show.
 */
export function barHtml(props: Props): string {
  const key = JSON.stringify(props);
  if (last?.key !== key) last = { key, html: render(props) };
  return last.html;
}

function render({ demo, demoMail, notice, draft }: Props): string {
  return renderToStaticMarkup(
    <>
      {draft && (
        <form method="post" action="/preview" className="page flex flex-wrap items-center gap-x-1.5">
          <span className="font-semibold">Draft, seen by staff alone</span> <span>·</span>{" "}
          <button type="submit" className="inline-flex min-h-11 items-center underline underline-offset-2">
            Leave
          </button>
        </form>
      )}
      {demo && (
        <p className="page flex flex-wrap gap-x-1.5 py-1.5">
          <span>Demo: payments are simulated.</span>{" "}
          {demoMail && (
            <Link to="/demo/mail" className="underline underline-offset-2">
              Your mails
            </Link>
          )}
        </p>
      )}
      {notice && <p className={`page pb-1.5 text-balance ${demo ? "" : "pt-1.5"}`}>{notice}</p>}
    </>,
  );
}
