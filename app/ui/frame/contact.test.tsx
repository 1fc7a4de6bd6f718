import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { renderMail } from "#app/ui/mail.tsx";
import { type Contact, ContactContext } from "./contact.tsx";
import { ErrorPage } from "./error-page.tsx";
import { Footer } from "./footer.tsx";
import { Help } from "./help.tsx";

const contact = {
  email: "help@shop.example",
  instagramUrl: "https://instagram.example/us",
  xUrl: "https://x.example/us",
};

function linksOf(page: React.ReactNode, given: Contact = contact): string[] {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <ContactContext value={given}>{page}</ContactContext>
    </MemoryRouter>,
  );
  return [...html.matchAll(/href="([^"/][^"]*)"/g)].map(([, url]) => url ?? "");
}

test("CONNECT has a social profile link, a mailto contact link and a second social profile link", () => {
  const footer = <Footer subscribe={null} small={null} />;
  expect(linksOf(footer)).toEqual([contact.instagramUrl, "mailto:help@shop.example", contact.xUrl]);
});

test("help is a chat and a mail with the question's subject; without a number there is no chat", () => {
  const help = <Help about="the Ankara Jersey" />;
  expect(linksOf(help, { ...contact, whatsappUrl: "https://wa.me/2348031234567" })).toEqual([
    "https://wa.me/2348031234567?text=A%20question%20about%20the%20Ankara%20Jersey",
    "mailto:help@shop.example?subject=A%20question%20about%20the%20Ankara%20Jersey",
  ]);
  expect(linksOf(help)).toEqual(["mailto:help@shop.example?subject=A%20question%20about%20the%20Ankara%20Jersey"]);
});

test("a mail address with a # is escaped in the link", () => {
  const footer = <Footer subscribe={null} small={null} />;
  expect(linksOf(footer, { ...contact, email: "help#1@shop.example" })).toContain("mailto:help%231@shop.example");
});

test("SUPPORT has the chat if there is a number", () => {
  const footer = <Footer subscribe={null} small={null} />;
  expect(linksOf(footer, { ...contact, whatsappUrl: "https://wa.me/2348031234567" })).toContain(
    "https://wa.me/2348031234567",
  );
});

test("an error page has the contact address", () => {
  expect(linksOf(<ErrorPage title="Something went wrong" text="" again />)).toContain("mailto:help@shop.example");
});

test("a mail has the contact address", async () => {
  const { html, text } = await renderMail("Hello", "", null, { url: "https://shop.example", contact: contact.email });
  expect(html).toContain('href="mailto:help@shop.example"');
  expect(text.trim()).toMatch(/Questions\? Write to help@shop\.example$/);
});
