import { Fragment } from "react";
import { Link } from "#app/ui/link.tsx";
import type { TextBlock } from "#db/types.ts";
import { partsOf, type TextLink } from "./notation.ts";

type Props = {
  blocks: TextBlock[];
  /** The shop's origin, for a preview that another site shows: its links lead to the shop, in a new tab. */
  shop?: string;
};

/** A text of a page. No word is wider than the page. */
export function PageText({ blocks, shop }: Props) {
  return (
    <div className="wrap-anywhere">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move
        <Block key={at} block={block} shop={shop} />
      ))}
    </div>
  );
}

function Block({ block, shop }: { block: TextBlock; shop?: string }) {
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
  const line = <Line text={block.text} shop={shop} />;
  return block.kind === "heading" ? <h2>{line}</h2> : <p>{line}</p>;
}

function Line({ text, shop }: { text: string; shop?: string }) {
  return partsOf(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    <Fragment key={at}>{typeof part === "string" ? part : <LinkTo {...part} shop={shop} />}</Fragment>
  ));
}

function LinkTo({ text, to, shop }: TextLink & { shop?: string }) {
  const isOwn = to.startsWith("/");
  if (isOwn && shop === undefined) return <Link to={to}>{text}</Link>;
  return (
    <a href={isOwn ? shop + to : to} target={shop === undefined ? undefined : "_blank"} rel="noopener">
      {text}
    </a>
  );
}
