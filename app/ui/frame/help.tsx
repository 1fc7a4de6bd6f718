import { useContext } from "react";
import { ContactContext } from "./contact.tsx";

type Props = {
  /** What the question is of, as it stands in a sentence: "the Ankara Jersey", "my order IR-7K3M-2Q". */
  about?: string;
  className?: string;
};

/** The ways to ask a person; chat and mail name what the question is of. Nothing where a page knows nobody. */
export function Help({ about, className = "" }: Props) {
  const contact = useContext(ContactContext);
  if (!contact) return null;
  const question = (name: string) => (about ? `?${name}=${encodeURIComponent(`A question about ${about}`)}` : "");
  const link = "inline-flex min-h-11 items-center underline underline-offset-4 hover:text-palm";
  return (
    <p
      className={`flex min-h-11 flex-wrap items-center gap-x-5 text-sm [overflow-wrap:anywhere] print:hidden ${className}`}
    >
      Questions?
      {contact.whatsappUrl && (
        <a href={contact.whatsappUrl + question("text")} rel="noopener" className={link}>
          Ask us on WhatsApp
        </a>
      )}
      <a href={`mailto:${contact.email}${question("subject")}`} className={link}>
        {contact.email}
      </a>
    </p>
  );
}
