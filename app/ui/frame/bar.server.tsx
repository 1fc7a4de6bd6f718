import { renderToStaticMarkup } from "react-dom/server";
import { Link } from "#app/ui/link.tsx";

type Props = { demo: boolean; demoMail: boolean /** The owner's, empty where there is none. */; notice: string };

/** What stands above every page, as HTML: it needs no script, so its code is sent to nobody. Empty where there is nothing to say. */
export function barHtml({ demo, demoMail, notice }: Props): string {
  return renderToStaticMarkup(
    <>
      {demo && (
        <p className="page flex flex-wrap gap-x-1.5 py-1.5">
          <span>Demo: payments are simulated.</span>
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
