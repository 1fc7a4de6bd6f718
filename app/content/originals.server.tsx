import { Children, Fragment, isValidElement, type ReactNode } from "react";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { ContactLink } from "#app/ui/frame/contact.tsx";
import { MailText } from "#app/ui/mail.tsx";
import type { TextBlock } from "#db/types.ts";
import { ABOUT_TEXT } from "./about.tsx";
import { PRICES, readNotation, writeNotation } from "./notation.ts";
import type { TextPage } from "./pages.ts";
import { PRIVACY_TEXT } from "./privacy.tsx";
import { returnsText } from "./returns.tsx";
import { shippingText } from "./shipping.tsx";

/** The texts in code, which pages show until the owner changes them. */
const ORIGINALS: Record<TextPage, (numbers: Numbers) => ReactNode> = {
  about: () => [ABOUT_TEXT.before, ABOUT_TEXT.after],
  returns: returnsText,
  shipping: (numbers) => shippingText(<p>{PRICES}</p>, numbers),
  privacy: () => PRIVACY_TEXT,
};

/** A page's text in code as blocks with the owner's numbers, which the owner can edit. */
export function originalBlocks(page: TextPage, numbers = SHIPPED_NUMBERS): TextBlock[] {
  return blocksOf(ORIGINALS[page](numbers));
}

/** The blocks of a text in code, of a page or of an email. */
export function blocksOf(text: ReactNode): TextBlock[] {
  return readNotation(writeNotation(blocksIn(text)));
}

function blocksIn(nodes: ReactNode): TextBlock[] {
  return elementsIn(nodes).flatMap(({ type, props }): TextBlock[] => {
    if (type === Fragment) return blocksIn(props.children);
    if (type === "ul") return [{ kind: "list", items: elementsIn(props.children).map((item) => lineOf(item.props)) }];
    if (type === "h2" || type === "p" || type === MailText)
      return [{ kind: type === "h2" ? "heading" : "paragraph", text: lineOf(props) }];
    throw new Error(`The notation of texts has nothing for <${String(type)}>`);
  });
}

type Props = { children?: ReactNode; to?: string; href?: string };

function elementsIn(nodes: ReactNode) {
  return Children.toArray(nodes).filter((node) => isValidElement<Props>(node));
}

/** The text of an element as a line in the notation, which has links and the email address but no other markup. */
function lineOf({ children }: Props): string {
  return Children.toArray(children)
    .map((node) => {
      if (!isValidElement<Props>(node)) return String(node);
      if (node.type === ContactLink) return "{email}";
      const { to = node.props.href } = node.props;
      return to === undefined ? lineOf(node.props) : `[${lineOf(node.props)}](${to})`;
    })
    .join("");
}
