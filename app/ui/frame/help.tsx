import { useContext } from "react";
import { ContactContext } from "./contact.tsx";
import { mailtoHref } from "./paths.ts";

type Props = {
  /** The subject of the question, as part of a sentence: "the Ankara Jersey", "my order IR-7K3M-2Q". */
  about?: string;
  className?: string;
};

/**
 * Links to contact the owner; chat and mail start with the subject of the question. Renders nothing if no contact is
 * known.
 */
export function Help({ about, className = "" }: Props) {
  const contact = useContext(ContactContext);
  if (!contact) return null;
  const question = (name: string) => (about ? `?${name}=${encodeURIComponent(`A question about ${about}`)}` : "");
  const link = "inline-flex min-h-11 items-center underline underline-offset-4 hover:text-palm";
  return (
    <p
      className={`flex min-h-11 flex-wrap items-center gap-x-5 text-sm [overflow-wrap:anywhere] print:hidden ${className}`}
    >
      Questions?{" "}
      {contact.whatsappUrl && (
        <a href={contact.whatsappUrl + question("text")} rel="noopener" className={link}>
          Ask us on WhatsApp
        </a>
      )}{" "}
      <a href={`${mailtoHref(contact.email)}${question("subject")}`} className={link}>
        {contact.email}
      </a>
    </p>
  );
}
