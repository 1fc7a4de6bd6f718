import { Fragment, type ReactNode } from "react";
import { ContactLink } from "#app/ui/frame/contact.tsx";
import { Link } from "#app/ui/link.tsx";
import type { TextBlock } from "#db/types.ts";
import { EMAIL, PRICES, partsOf, type TextLink, type TextPart } from "./notation.ts";

type Props = {
  blocks: TextBlock[];
  /** The replacement for the placeholder of the delivery prices. */
  prices?: ReactNode;
  /** The shop's origin, for a preview that another site shows: its links lead to the shop, in a new tab. */
  shop?: string;
};

/** A text of a page. No word is wider than the page. */
export function PageText({ blocks, prices, shop }: Props) {
  return (
    <div className="wrap-anywhere">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move
        <Block key={at} block={block} prices={prices} shop={shop} />
      ))}
    </div>
  );
}

type BlockProps = Omit<Props, "blocks"> & { block: TextBlock };

function Block({ block, prices, shop }: BlockProps) {
  if (block.kind === "list")
    return (
      <ul>
        {block.items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items never move
          <li key={at}>
            <Line text={item} shop={shop} />
          </li>
        ))}
      </ul>
    );
  if (prices !== undefined && block.text === PRICES) return <div id="prices">{prices}</div>;
  const line = <Line text={block.text} shop={shop} />;
  return block.kind === "heading" ? <h2>{line}</h2> : <p>{line}</p>;
}

function Line({ text, shop }: { text: string; shop?: string }) {
  return partsOf(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    <Fragment key={at}>{shownPart(part, shop)}</Fragment>
  ));
}

function shownPart(part: TextPart, shop?: string): ReactNode {
  if (typeof part === "string") return part;
  return part === EMAIL ? <ContactLink /> : <LinkTo {...part} shop={shop} />;
}

function LinkTo({ text, to, shop }: TextLink & { shop?: string }) {
  const isOwn = to.startsWith("/");
  if (isOwn && shop === undefined) return <Link to={to}>{text}</Link>;
  return (
    <a href={isOwn ? `${shop}${to}` : to} target={shop === undefined ? undefined : "_blank"} rel="noopener">
      {text}
    </a>
  );
}
