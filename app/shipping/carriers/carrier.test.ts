import { expect, test } from "vitest";
import { carrierIn, readCarriers, trackingUrl } from "./carrier.ts";

const GIG = "GIG Logistics https://gig.example/track?waybill={number}";
const carriers = readCarriers(`${GIG}\n\nDHL   https://dhl.example/{number}/where\nnonsense\n`);

test("a line is a carrier's name and its address; other lines are left out", () => {
  expect(carriers).toEqual([
    { name: "GIG Logistics", address: "https://gig.example/track?waybill={number}" },
    { name: "DHL", address: "https://dhl.example/{number}/where" },
  ]);
});

test.each([
  "https://gig.example/{number}",
  "GIG https://gig.example/",
  "GIG https://gig.example/{number}/{number}",
  "GIG http://gig.example/{number}",
  "GIG javascript:alert({number})",
  "GIG https://gig example/{number}",
  "GIG https://{number}.example/",
])("the line %j is left out", (line) => {
  expect(carrierIn(line)).toBeUndefined();
});

test.each([
  ["GIG Logistics", "G-77", "https://gig.example/track?waybill=G-77"],
  ["gig logistics", "G 77/1&x=<b>", "https://gig.example/track?waybill=G%2077%2F1%26x%3D%3Cb%3E"],
  ["DHL", "$&", "https://dhl.example/%24%26/where"],
  ["UPS", "1Z", undefined],
  ["DHL", null, undefined],
  [null, "1Z", undefined],
])("a parcel with %s, number %s, is at %s", (carrier, tracking, url) => {
  expect(trackingUrl(carriers, { carrier, tracking })).toBe(url);
});
