import PostalMime from "postal-mime";
import { data } from "react-router";
import { env } from "#app/infra/env.server.ts";
import { listOutbox, readOutbox } from "#app/infra/mail.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/demo-mail";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Demo mailbox | Irepo", hidden: true });

const NEWEST = 50;

/** The demo's mailbox: only while no mail server is set. */
export async function loader({ request }: Route.LoaderArgs) {
  if (!env.demoMail) throw data(null, { status: 404 });
  const names = (await listOutbox()).slice(0, NEWEST);
  const wanted = new URL(request.url).searchParams.get("mail");
  const mails = await Promise.all(names.map(read));
  const opened = wanted ? await read(wanted) : undefined;
  if (wanted && !opened) throw data(null, { status: 404 });
  return { mails: mails.filter((mail) => mail !== undefined), opened };
}

async function read(name: string) {
  const bytes = await readOutbox(name);
  if (!bytes) return;
  const { subject, to, date, text } = await PostalMime.parse(bytes);
  return {
    name,
    subject: subject ?? "",
    to: to?.map(({ address }) => address).join(", ") ?? "",
    date: date ?? "",
    text: text ?? "",
  };
}

export default function DemoMail({ loaderData: { mails, opened } }: Route.ComponentProps) {
  return (
    <main className="page grid max-w-3xl gap-6 py-12">
      <h1 className="headline text-3xl sm:text-5xl">Demo mailbox</h1>
      <p className="text-pretty text-muted">
        No mail server is set, so nothing leaves this machine. Every mail that the shop would send lies here.
      </p>
      {opened && <Letter {...opened} />}
      {mails.length === 0 && <p>No mail yet.</p>}
      <ul className="divide-y divide-hairline border-y border-hairline">
        {mails.map((mail) => (
          <li key={mail.name}>
            <Link
              to={`?mail=${encodeURIComponent(mail.name)}`}
              className="grid min-h-14 content-center py-2 hover:bg-linen"
            >
              <span className="font-semibold">{mail.subject}</span>
              <span className="text-sm text-muted">
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

/** The text twin, with its links. */
function Letter({ subject, to, text }: { subject: string; to: string; text: string }) {
  return (
    <article className="rounded-cut bg-linen p-5">
      <h2 className="text-xl font-bold">{subject}</h2>
      <p className="mb-4 text-sm text-muted">To {to}</p>
      <p className="whitespace-pre-wrap break-words">
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
    </article>
  );
}
