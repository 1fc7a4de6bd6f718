import { useState } from "react";
import { copyText } from "#app/ui/copy-text.browser.ts";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Button } from "./button.tsx";

/** A button that copies a text and shows the result. Not rendered without JavaScript. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState("");
  const [isRefused, setRefused] = useState(false);
  const isCopied = copied === text;
  const copy = async () => {
    if (await copyText(text)) setCopied(text);
    else setRefused(true);
  };
  return (
    <Button type="button" look="line" onPress={copy} className="[@media(scripting:none)]:hidden print:hidden">
      {isCopied && <CheckIcon className="size-5" />}
      <span role="status">{isCopied ? "Copied" : isRefused ? "Your browser doesn’t allow copying" : label}</span>
    </Button>
  );
}
