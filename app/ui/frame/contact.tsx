import { createContext, useContext } from "react";
import { mailtoHref } from "./paths.ts";

/** Where shoppers can reach the owner. */
export type Contact = { email: string; whatsappUrl?: string; instagramUrl?: string; xUrl?: string };

/** Set by the root. Undefined if the root's data could not be loaded. */
export const ContactContext = createContext<Contact | undefined>(undefined);

/** The owner's email address as a link. Renders nothing if it is unknown. */
export function ContactLink() {
  const contact = useContext(ContactContext);
  return contact && <a href={mailtoHref(contact.email)}>{contact.email}</a>;
}
