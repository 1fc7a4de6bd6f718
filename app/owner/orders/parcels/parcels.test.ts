import { describe, expect, test } from "vitest";
import { readParcels } from "./parcels.ts";

const parcel = (line: number, number: string, carrier?: string, tracking?: string) =>
  expect.objectContaining({ line, number, ...(carrier && { carrier }), ...(tracking && { tracking }) });

describe("rows of a sheet", () => {
  test.each<[string, string, unknown]>([
    [
      "order, carrier, number",
      "IR-7K3M-2Q\tGIG Logistics\tGIG-4711",
      parcel(1, "IR-7K3M-2Q", "GIG Logistics", "GIG-4711"),
    ],
    [
      "order, number, carrier",
      "IR-7K3M-2Q\tGIG-4711\tGIG Logistics",
      parcel(1, "IR-7K3M-2Q", "GIG Logistics", "GIG-4711"),
    ],
    ["number first", "GIG-4711\tIR-7K3M-2Q\tGIG", parcel(1, "IR-7K3M-2Q", "GIG", "GIG-4711")],
    ["carrier first", "DHL\t1234567890\tIR-7K3M-2Q", parcel(1, "IR-7K3M-2Q", "DHL", "1234567890")],
    ["a carrier with a digit", "IR-7K3M-2Q\t4PX\t99887", parcel(1, "IR-7K3M-2Q", "4PX", "99887")],
    ["commas", "IR-7K3M-2Q,DHL,12", parcel(1, "IR-7K3M-2Q", "DHL", "12")],
    ["semicolons", "IR-7K3M-2Q;DHL;12", parcel(1, "IR-7K3M-2Q", "DHL", "12")],
    ["as it is typed", "ir 7k3m 2q\tDHL\t12", parcel(1, "IR-7K3M-2Q", "DHL", "12")],
    ["a carrier alone", "IR-7K3M-2Q\tDHL", parcel(1, "IR-7K3M-2Q", "DHL")],
    ["a number alone", "IR-7K3M-2Q\t12", parcel(1, "IR-7K3M-2Q", undefined, "12")],
    ["an order alone", "IR-7K3M-2Q", parcel(1, "IR-7K3M-2Q")],
    ["empty cells between", "IR-7K3M-2Q\t\tDHL\t\t12\t", parcel(1, "IR-7K3M-2Q", "DHL", "12")],
    ["21 a number that is kept as a text", 'IR-7K3M-2Q\tDHL\t="0061"', parcel(1, "IR-7K3M-2Q", "DHL", "0061")],
    ["21 the same in a file", 'IR-7K3M-2Q,DHL,"=""0061"""', parcel(1, "IR-7K3M-2Q", "DHL", "0061")],
    ["21 digits with an E, as carriers have them", "IR-7K3M-2Q\tDHL\t6E11", parcel(1, "IR-7K3M-2Q", "DHL", "6E11")],
    ["22 a line that names the separator", "sep=;\nIR-7K3M-2Q;DHL;12", parcel(1, "IR-7K3M-2Q", "DHL", "12")],
    ["quotes of a sheet", '"IR-7K3M-2Q"\t"DHL, Lagos"\t"12"', parcel(1, "IR-7K3M-2Q", "DHL, Lagos", "12")],
    ["a head", "Order\tCarrier\tTracking\nIR-7K3M-2Q\tDHL\t12", parcel(2, "IR-7K3M-2Q", "DHL", "12")],
    ["Windows' ends of lines", "\r\nIR-7K3M-2Q\tDHL\t12\r\n", parcel(2, "IR-7K3M-2Q", "DHL", "12")],
  ])("%s", (_, text, expected) => {
    expect(readParcels(text)).toEqual([expected]);
  });

  test.each<[string, string, RegExp]>([
    ["no order", "DHL\t12345", /No order number/],
    ["half a number", "IR-7K3\tDHL\t12", /No order number/],
    ["a column too many", "IR-7K3M-2Q\tDHL\t12\tyes", /Too many columns/],
    ["too long a number", `IR-7K3M-2Q\tDHL\t${"1".repeat(101)}`, /At most 100/],
    ...["6.12206E+11", "6,12206E+11", "6E+11", "#N/A", "#REF!", "#DIV/0!", "########", "612206000000000000"].map(
      (cell): [string, string, RegExp] => [
        `21 ${cell} in place of a number`,
        `IR-7K3M-2Q\tDHL\t${cell}`,
        /was changed by a spreadsheet/,
      ],
    ),
    ["21 #N/A in place of a carrier", "IR-7K3M-2Q\t#N/A", /was changed by a spreadsheet/],
  ])("%s is a mistake in that line only", (_, text, problem) => {
    const [wrong, right] = readParcels(`${text}\nIR-4D9T-6H\tDHL\t13`);
    expect(wrong).toEqual({ line: 1, text: expect.any(String), problem: expect.stringMatching(problem) });
    expect(right).toEqual(parcel(2, "IR-4D9T-6H", "DHL", "13"));
  });

  test("an order that is named twice is a mistake of the second line", () => {
    expect(readParcels("IR-7K3M-2Q\tDHL\t1\nIR-7K3M-2Q\tDHL\t2")).toEqual([
      parcel(1, "IR-7K3M-2Q", "DHL", "1"),
      { line: 2, text: "IR-7K3M-2Q  DHL  2", problem: "IR-7K3M-2Q stands in line 1 already" },
    ]);
  });

  test("an empty text has no lines", () => {
    expect([readParcels(""), readParcels("\n\t\n")]).toEqual([[], []]);
  });
});
