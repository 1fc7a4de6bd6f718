import { PlainLink } from "../frame/button.tsx";
import { CopyButton } from "../frame/copy-button.browser.tsx";
import { Notice } from "../frame/notice.tsx";

/** A link that has just been made, and ways to send it. `chat`: the address of a chat that has it, if there is one. */
export function LinkNotice({ what, link, chat }: { what: string; link: string; chat?: string }) {
  return (
    <Notice
      kind="done"
      actions={
        <>
          {chat && (
            <PlainLink href={chat} target="_blank" rel="noopener">
              Send by WhatsApp
            </PlainLink>
          )}
          <CopyButton text={link} label="Copy the link" />
        </>
      }
    >
      <span>{what}</span>. <span className="wrap-anywhere">{link}</span>
    </Notice>
  );
}
