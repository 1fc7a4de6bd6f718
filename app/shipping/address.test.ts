import { describe, expect, test } from "vitest";
import { usdCents } from "#app/money/money.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { addressLines, addressText, pickupRows } from "./address.ts";

const full = {
  ...lagosForm,
  apartment: "Flat 4",
  address: "1 Broad Street",
  landmark: "the bank",
  city: "Ikeja",
  localGovernment: "Lagos Island",
  state: "Lagos",
  postalCode: "101001",
};

describe("an address", () => {
  test.each([
    [
      "with all fields",
      full,
      [
        "Ada Obi",
        "Flat 4, 1 Broad Street",
        "Near the bank",
        "Ikeja, Lagos Island",
        "Lagos, 101001",
        "Nigeria",
        "08031234567",
      ],
    ],
    [
      "with as little as the form asks for",
      lagosForm,
      ["Ada Obi", "1 Broad Street", "Lagos Island", "Lagos", "Nigeria", "08031234567"],
    ],
    [
      "of a pick-up center, without any address",
      { ...full, pickupCenter: "Yaba" },
      ["Ada Obi", "Pick-up: Yaba", "Nigeria", "08031234567"],
    ],
    [
      "of somebody with one name and no phone",
      { ...lagosForm, lastName: "", phoneNumber: "" },
      ["Ada", "1 Broad Street", "Lagos Island", "Lagos", "Nigeria"],
    ],
  ])("%s", (_, form, lines) => {
    expect(addressLines(form)).toEqual(lines);
  });

  test.each([
    ["the bank", "Near the bank"],
    ["Opposite the mosque", "Opposite the mosque"],
    ["behind Shoprite", "behind Shoprite"],
    ["near the bank", "near the bank"],
    ["Byron's garage", "Near Byron's garage"],
  ])("the landmark %s reads %s", (landmark, line) => {
    expect(addressLines({ ...full, landmark })).toContain(line);
  });

  test("stands on one line without the person", () => {
    expect(addressText(full)).toBe(
      "Flat 4, 1 Broad Street, Near the bank, Ikeja, Lagos Island, Lagos, 101001, Nigeria",
    );
  });
});

describe("where to pick up", () => {
  const none = { name: "Yaba", rateCents: usdCents(200), state: "", address: "", landmark: "", hours: "", bring: "" };
  test.each([
    ["a center without details", none, [["Place", "Yaba"]]],
    [
      "a center with all details: the address comes before the state",
      { ...none, state: "Lagos", address: "1 Broad Street", landmark: "The bank", hours: "Mon-Fri", bring: "A card" },
      [
        ["Place", "Yaba. 1 Broad Street. The bank"],
        ["Open", "Mon-Fri"],
        ["Bring", "A card"],
      ],
    ],
    ["one in a state", { ...none, state: "Lagos" }, [["Place", "Yaba. Lagos"]]],
  ])("%s", (_, center, rows) => {
    expect(pickupRows(center).map(({ title, text }) => [title, text])).toEqual(rows);
  });
});
