import { useState } from "react";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Button } from "./button.tsx";

/** Copies a text, and says that it did; not there without script. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState("");
  const isCopied = copied === text;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <Button type="button" look="line" onPress={copy} className="[@media(scripting:none)]:hidden print:hidden">
      {isCopied && <CheckIcon className="size-5" />}
      <span role="status">{isCopied ? "Copied" : label}</span>
    </Button>
  );
}
