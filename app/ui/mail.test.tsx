import { render } from "@react-email/render";
import { describe, expect, test } from "vitest";
import { MailAction, MailRow, MailText, renderMail } from "./mail.tsx";

const SHOP = { url: "https://shop.example", contact: "hello@shop.example" };
const text = 'Ada & Bola said <b>"hello"</b>';

test("a mail is the document that @react-email/render makes of it, without React's comments", async () => {
  const children = (
    <>
      <MailText>{text} twice</MailText>
      <MailAction href="https://shop.example/?a=1&b=2">Look</MailAction>
    </>
  );
  const mail = await renderMail("It is here", "A word before", children, SHOP);
  const [head = "", body = ""] = mail.html.split("<body");
  expect(head).toMatch(/^<!DOCTYPE html PUBLIC "[^"]+XHTML[^"]+" "[^"]+"><html [^>]*lang="en"[^>]*><head>/);
  expect(head).toContain("<title>It is here</title>");
  expect(mail.html).not.toContain("<!--");
  const streamed = (await render(<MailText>{text} twice</MailText>)).replaceAll(/<!--.*?-->/g, "");
  expect(body).toContain(streamed.slice(streamed.indexOf("<p")));
  expect(mail.text).toContain(`${text} twice`);
  expect(mail.text).toContain("https://shop.example/?a=1&b=2");
  expect(mail.text).not.toContain("A word before");
});

describe("a mail's look", () => {
  const mailOf = () =>
    renderMail(
      "It is here",
      "",
      <MailRow picture="https://shop.example/images/a/160.jpg" sum="₦1">
        Tee
      </MailRow>,
      SHOP,
    );

  test("needs no pictures: the name is text, and a piece's place keeps its size", async () => {
    const { html } = await mailOf();
    expect(html).toMatch(/<img src="https:\/\/shop\.example\/wordmark\.png" alt="IREPO" width="112" height="21"/);
    expect(html).toMatch(/<img src="https:\/\/shop\.example\/images\/a\/160\.jpg" alt="" width="64" height="80"/);
  });

  test("has a dark mode: each colour of a text or a background has a dark counterpart", async () => {
    const { html } = await mailOf();
    const [, dark = ""] = /@media \(prefers-color-scheme:dark\)\{([\s\S]*?)<\/style>/.exec(html) ?? [];
    const known = new Set([...dark.matchAll(/\.(\w+)\{/g)].map(([, name]) => name));
    const used = [...html.matchAll(/class="(\w+)"/g)].map(([, name]) => name);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
  });

  test("ends with the address for returns and the contact; its text version does, too", async () => {
    const { html, text } = await mailOf();
    expect(html).toContain('href="https://shop.example/returnpolicy"');
    expect(text).toMatch(
      /^IREPO https:\/\/shop\.example\s[\s\S]*Tee ₦1\s[\s\S]*https:\/\/shop\.example\/returnpolicy\s+Questions\? Write to hello@shop\.example$/,
    );
  });
});
