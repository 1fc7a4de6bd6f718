import { useState } from "react";
import { CheckIcon } from "#app/ui/icons.tsx";
import { Button } from "./button.tsx";

/** Copies a text, and says whether it did; not there without script. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState("");
  const [isRefused, setRefused] = useState(false);
  const isCopied = copied === text;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setRefused(true),
    );
  return (
    <Button type="button" look="line" onPress={copy} className="[@media(scripting:none)]:hidden print:hidden">
      {isCopied && <CheckIcon className="size-5" />}
      <span role="status">{isCopied ? "Copied" : isRefused ? "The browser does not let this be copied" : label}</span>
    </Button>
  );
}
