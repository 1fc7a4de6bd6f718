import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { renderMail } from "#app/ui/mail.tsx";
import { ContactContext } from "./contact.tsx";
import { ErrorPage } from "./error-page.tsx";
import { Footer } from "./footer.tsx";

const contact = {
  email: "help@shop.example",
  instagramUrl: "https://instagram.example/us",
  xUrl: "https://x.example/us",
};

function linksOf(page: React.ReactNode, given = contact): string[] {
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

test("a page that failed says where to write to", () => {
  expect(linksOf(<ErrorPage title="Something went wrong" text="" again />)).toContain("mailto:help@shop.example");
});

test("a mail says where to write to", async () => {
  const { html, text } = await renderMail("Hello", "", null, contact.email);
  expect(html).toContain('href="mailto:help@shop.example"');
  expect(text.trim()).toMatch(/Questions\? Write to help@shop\.example$/);
});
