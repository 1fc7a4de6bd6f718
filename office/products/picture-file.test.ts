import { describe, expect, test } from "vitest";
import { isPhotograph, notPicture, notSendable } from "./picture-file.ts";

describe("23 a file that is chosen as a picture", () => {
  test.each([
    ["front.jpg", "image/jpeg", undefined],
    ["IMG_4711.HEIC", "", undefined],
    ["IMG_4711.heif", "application/octet-stream", undefined],
    ["back.PNG", "", undefined],
    ["size-chart.pdf", "application/pdf", /Save the page as JPEG/],
    ["size-chart.PDF", "", /Save the page as JPEG/],
    ["IMG_4712.MOV", "", /Add a picture of it/],
    ["clip", "video/mp4", /Add a picture of it/],
    ["notes.docx", "", /Choose a JPEG/],
    ["", "", /Choose a JPEG/],
  ])("%s (%s) is accepted, or refused with advice", (name, type, says) => {
    const said = notPicture({ name, type });
    if (says) expect(said).toMatch(says);
    else expect(said).toBeUndefined();
  });

  test.each([
    ["front.jpg", "image/jpeg", 30_000_000, undefined],
    ["front.jpg", "image/jpeg", 30_000_001, /Larger than 30 MB/],
    ["IMG_4711.HEIC", "", 2_000_000, /Save it as JPEG/],
    ["IMG_4711.jpg", "image/heic", 2_000_000, /Save it as JPEG/],
  ])("%s (%s) of %i bytes is sent, or refused with advice", (name, type, size, says) => {
    const said = notSendable({ name, type, size });
    if (says) expect(said).toMatch(says);
    else expect(said).toBeUndefined();
  });

  test("is encoded again only if it is a photograph, so that no drawing loses quality", () => {
    const names = ["a.JPG", "a.heic", "a.png", "a.webp"];
    expect(names.filter((name) => isPhotograph({ name, type: "" }))).toEqual(["a.JPG", "a.heic"]);
  });
});
