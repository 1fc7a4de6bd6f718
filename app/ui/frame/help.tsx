import { useContext } from "react";
import { ContactContext, whatsappUrl } from "./contact.tsx";

type Props = {
  /** What the question is of, as it stands in a sentence: "the Ankara Jersey", "my order IR-7K3M-2Q". */
  about?: string;
  className?: string;
};

/** The ways to ask a person. Nothing where a page knows none. */
export function Help({ about, className = "" }: Props) {
  const contact = useContext(ContactContext);
  if (!contact) return null;
  const text = about ? `Hello Irepo, I have a question about ${about}.` : "Hello Irepo, I have a question.";
  const whatsapp = whatsappUrl(contact, text);
  const subject = about
    ? `?${new URLSearchParams({ subject: `A question about ${about}` })}`.replaceAll("+", "%20")
    : "";
  const link =
    "inline-flex min-h-11 items-center underline underline-offset-4 [overflow-wrap:anywhere] hover:text-palm";
  return (
    <p className={`flex flex-wrap items-center gap-x-5 text-sm print:hidden ${className}`}>
      <span className="text-muted">Questions?</span>
      {whatsapp && (
        <a href={whatsapp} rel="noopener" className={link}>
          Ask us on WhatsApp
        </a>
      )}
      <a href={`mailto:${contact.email}${subject}`} className={link}>
        {contact.email}
      </a>
    </p>
  );
}
