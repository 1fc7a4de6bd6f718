import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.browser.tsx";
import { PrintIcon } from "./icons.tsx";

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, email }: { codes: string[]; email: string }) {
  return (
    <section aria-label="Recovery codes" className="grid gap-4">
      <p>
        Keep these codes where you can find them without your phone. Each signs <strong>{email}</strong> in once; nobody
        can show them again.
      </p>
      <ul className="grid gap-y-2 rounded-cut border border-hairline bg-white p-4 font-mono text-[0.9375rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-2 [@media(scripting:none)]:hidden print:hidden">
        <CopyButton text={codes.join("\n")} label="Copy" />
        <Button type="button" look="line" onPress={() => print()}>
          <PrintIcon className="size-5" />
          Print
        </Button>
      </p>
    </section>
  );
}
