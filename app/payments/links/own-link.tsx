import { useBrand } from "#app/brand/context.tsx";
import { chatWithAnyone } from "#app/infra/text/whatsapp.ts";
import * as messages from "#app/messages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { copyText } from "#app/ui/copy-text.browser.ts";
import { Field } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { Link } from "#app/ui/link.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { LINE_MAX } from "./line.ts";

/** A link that has just been made. It is shown once, because only its hash is stored. */
export type MadeLink = { url: string; until: string; reference: string };

export const LET_OTHER_PAY = "Let somebody pay for it";

/** The field and the button, in the checkout's form, that make a link by which somebody else pays. */
export function LetOtherPay({ line, error, busy }: { line?: string; error?: string; busy: boolean }) {
  return (
    <div className="grid gap-4 border-t border-hairline pt-6">
      <Field
        label="A line for the person who pays"
        name="payerLine"
        optional
        maxLength={LINE_MAX}
        defaultValue={line}
        error={error}
        autoComplete="off"
        hint="They see it with your first name, your items and the sum. They don’t see your address."
      />
      <Button name="intent" value="link" look="outline" busy={busy} className="justify-self-start">
        {LET_OTHER_PAY}
      </Button>
    </div>
  );
}

/** The link with its ways to send it. */
export function ShareLink({ url, until }: Pick<MadeLink, "url" | "until">) {
  const { name } = useBrand();
  return (
    <div className="grid w-full gap-4">
      <p>
        Send it to the person who pays. We hold your items until <b>{until}</b>. You see this link only now; you can
        make a new one, which ends this one.
      </p>
      <div className="flex items-end gap-2">
        <div className="grow">
          <Field label="Your link" readOnly value={url} onFocus={({ target }) => target.select()} />
        </div>
        <Button type="button" look="outline" onClick={() => void copy(url)} className="[@media(scripting:none)]:hidden">
          Copy
        </Button>
      </div>
      <a
        href={chatWithAnyone(`Could you pay for my order at ${name}? ${url}`)}
        target="_blank"
        rel="noreferrer"
        className="justify-self-start underline underline-offset-4"
      >
        Send by WhatsApp
      </a>
    </div>
  );
}

async function copy(url: string): Promise<void> {
  if (await copyText(url)) toast.success(messages.share.copied);
  else toast.error(messages.share.notCopied);
}

/** The page after a link was made at the checkout. */
export function LinkMade({ reference, ...link }: MadeLink) {
  return (
    <Notice title="Your link is ready">
      <ShareLink {...link} />
      <ButtonLink to={`/order/${reference}`}>See the order</ButtonLink>
    </Notice>
  );
}

/** Tells a shopper at the checkout that an order is held for whoever has the link. */
export function LinkIsOut({ reference, until }: Pick<MadeLink, "reference" | "until">) {
  return (
    <p role="status" className="bg-linen p-4">
      <span>{`Your link for somebody else to pay is out: we hold your items until ${until}.`}</span>{" "}
      <Link to={`/order/${reference}`} className="underline underline-offset-4">
        See or end it
      </Link>
    </p>
  );
}

/** The part of an order's page about its link: a new one, and its end. The buttons post to the order's page. */
export function OwnLinkPanel({ line, until, url }: { line: string; until: string; url?: string }) {
  return (
    <section aria-labelledby="own-link" className="grid gap-4 border-t border-hairline pt-5">
      <h2 id="own-link" className="headline text-lg">
        Somebody else pays
      </h2>
      {url ? (
        <ShareLink url={url} until={until} />
      ) : (
        <p>{`Anyone who has your link can pay until ${until}. We hold your items until then.`}</p>
      )}
      {line && (
        <p>
          You say: <q>{line}</q>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button name="intent" value="new-link" look="outline">
          Make a new link
        </Button>{" "}
        <Button name="intent" value="end-link" look="quiet">
          End the link
        </Button>
      </div>
    </section>
  );
}
