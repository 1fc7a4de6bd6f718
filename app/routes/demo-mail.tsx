import PostalMime from "postal-mime";
import { data } from "react-router";
import { env } from "#app/infra/env.server.ts";
import { isFromThisMachine } from "#app/infra/http/this-machine.ts";
import { listOutbox, readOutbox } from "#app/infra/mail.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/demo-mail";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Demo mailbox", hidden: true });

const NEWEST = 50;

/**
 * The demo's mailbox. It exists only while no mail server is configured, and only for requests from this machine,
 * because its mails contain links that sign in.
 */
export async function loader({ request }: Route.LoaderArgs) {
  if (!env.demoMail) throw data(null, { status: 404 });
  if (!isFromThisMachine(request)) return data({ mails: [], opened: undefined, isElsewhere: true }, { status: 403 });
  const names = (await listOutbox()).slice(0, NEWEST);
  const wanted = new URL(request.url).searchParams.get("mail");
  const mails = await Promise.all(names.map(read));
  const opened = wanted ? await read(wanted) : undefined;
  if (wanted && !opened) throw data(null, { status: 404 });
  const listed = mails.filter((mail) => mail !== undefined).map(({ html, text, ...mail }) => mail);
  return { mails: listed, opened, isElsewhere: false };
}

async function read(name: string) {
  const bytes = await readOutbox(name);
  if (!bytes) return;
  const { subject, to, date, text, html } = await PostalMime.parse(bytes);
  return {
    name,
    subject: subject ?? "",
    to: to?.map(({ address }) => address).join(", ") ?? "",
    date: date ?? "",
    text: text ?? "",
    html: html ?? "",
  };
}

export default function DemoMail({ loaderData: { mails, opened, isElsewhere } }: Route.ComponentProps) {
  return (
    <main className="page grid max-w-3xl grid-cols-1 gap-6 py-12">
      <h1 className="headline text-3xl sm:text-5xl">Demo mailbox</h1>
      <p className="text-pretty text-muted">
        No mail server is set up, so no mail leaves this computer. You’ll find every mail the shop would send here.
      </p>
      {isElsewhere && <p>It opens only on the computer that runs the shop, at localhost.</p>}
      {opened && <Letter {...opened} />}
      {mails.length === 0 && !isElsewhere && <p>No mail yet.</p>}
      <ul className="divide-y divide-hairline border-y border-hairline">
        {mails.map((mail) => (
          <li key={mail.name}>
            <Link to={`?mail=${encodeURIComponent(mail.name)}`} className="grid py-2 hover:bg-linen">
              <span className="font-semibold">{mail.subject}</span>
              <span className="text-sm text-muted wrap-anywhere">
                {mail.to}, {mail.date.replace("T", " ").slice(0, 16)} UTC
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}

const LINK = /(https?:\/\/[^\s<>"')\]]+)/;

/** A mail as a mail program shows it, and its plain text with clickable links. */
function Letter({ subject, to, html, text }: { subject: string; to: string; html: string; text: string }) {
  return (
    <article className="grid gap-3">
      <div>
        <h2 className="text-xl font-bold">{subject}</h2>
        <p className="text-sm text-muted wrap-anywhere">To {to}</p>
      </div>
      <iframe
        ref={fit}
        title={`The mail “${subject}”`}
        srcDoc={html}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        className="h-[75svh] w-full rounded-cut border border-hairline"
        style={{ colorScheme: "light dark" }}
      />
      <details className="rounded-cut bg-linen px-4 py-1.5">
        <summary className="flex min-h-11 items-center underline underline-offset-4">Plain text</summary>
        <p className="whitespace-pre-wrap pb-3 wrap-anywhere">
          {text.split(LINK).map((part, index) =>
            LINK.test(part) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a letter's parts never move
              <a key={index} href={part} className="text-palm underline">
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      </details>
    </article>
  );
}

/** Makes the frame as high as its mail. Without script the mail scrolls in its frame. */
function fit(frame: HTMLIFrameElement | null): void {
  if (!frame) return;
  const grow = () => {
    const height = frame.contentDocument?.body?.offsetHeight;
    if (height) frame.style.height = `${height + 2}px`;
  };
  const begin = () => {
    grow();
    frame.contentWindow?.addEventListener("resize", grow);
  };
  begin(); // the mail may be there before the script
  frame.addEventListener("load", begin);
}
