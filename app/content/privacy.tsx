import * as messages from "#app/messages.ts";
import { companyNames } from "#app/providers/descriptions.ts";
import { ContactLink } from "#app/ui/frame/contact.tsx";
import { KEPT } from "./kept.ts";

/** The privacy policy until the owner changes it. */
export const PRIVACY_TEXT = (
  <>
    <h2>What we keep</h2>
    <ul>
      <li>Your account: name, email address, and your password, stored as a hash that can’t be read back.</li>
      <li>Your cart and your orders, with the delivery address and phone number, and the addresses you save.</li>
      <li>What our team has noted about you or an order, so we can help you.</li>
      <li>Your first name and email address, if you subscribe to the newsletter.</li>
      <li>Your email address, if you ask us to tell you when your size is back.</li>
      <li>Your place in the queue for an item, until that queue ends.</li>
      <li>What you write to somebody who pays for your order.</li>
      <li>Your email address for the receipt, if you pay for somebody else’s order.</li>
      <li>The browsers you’re logged in with, and when you last used each, so you can log them out.</li>
    </ul>
    <h2>What we don’t keep</h2>
    <p>Card details. You give them to {companyNames()}, our payment provider. We never see them.</p>
    <h2>Why</h2>
    <p>
      To deliver your orders, to answer you, and because the law requires us to keep order records. We never sell your
      data, and we use no advertising cookies.
    </p>
    <h2>How long we keep it</h2>
    <p>
      {"As long as you have an account. You can delete it yourself at any time under "}
      <a href="/account#settings">My Account, Settings</a>
      {`, unless an order is paid and not sent yet, or a payment or refund is in progress: then as soon as that’s finished. ${messages.deletion.kept} Our backups keep older data until newer ones replace them, and ${companyNames()} keeps its own record of the payment.`}
    </p>
    <h2>In your browser</h2>
    <p>None of this is for advertising. Logging out clears what belongs to your account.</p>
    <ul>
      {KEPT.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <h2>Who else sees it</h2>
    <p>
      {companyNames()}, for the payment, with your name, email, phone and delivery address; the carrier, for the
      delivery; our mail provider, for the mails.
    </p>
    <h2>Your rights</h2>
    <p>
      {"Ask for a copy, a correction or the deletion of your data: "}
      <ContactLink />.
    </p>
  </>
);
