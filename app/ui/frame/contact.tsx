import { createContext, useContext } from "react";

/** Where shoppers can reach the owner. */
export type Contact = { email: string; whatsappUrl?: string; instagramUrl?: string; xUrl?: string };

/** Given by the root; undefined where not even that is known. */
export const ContactContext = createContext<Contact | undefined>(undefined);

/** The address to write to, as a link; nothing where a page knows none. */
export function ContactLink() {
  const contact = useContext(ContactContext);
  return contact && <a href={`mailto:${contact.email}`}>{contact.email}</a>;
}
