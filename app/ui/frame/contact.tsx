import { createContext, useContext } from "react";

/** Where shoppers can reach the owner. `whatsapp` is a number with its country's code, of digits alone. */
export type Contact = { email: string; whatsapp?: string; instagramUrl?: string; xUrl?: string };

/** Given by the root; undefined where not even that is known. */
export const ContactContext = createContext<Contact | undefined>(undefined);

/** Opens a chat with the owner in which `text` is typed already; undefined where there is no number. */
export function whatsappUrl({ whatsapp }: Contact, text: string): string | undefined {
  return whatsapp && `https://wa.me/${whatsapp}?text=${encodeURIComponent(text)}`;
}

/** The address to write to, as a link; nothing where a page knows none. */
export function ContactLink() {
  const contact = useContext(ContactContext);
  return contact && <a href={`mailto:${contact.email}`}>{contact.email}</a>;
}
