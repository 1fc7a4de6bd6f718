import { expect, test } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "./network.ts";
import { isFromThisMachine } from "./this-machine.ts";

test.each([
  ["at localhost", {}, true],
  ["at localhost, by IPv6", { [CLIENT_ADDRESS_HEADER]: "::1", host: "[::1]:3002" }, true],
  ["under a name of its own", { host: "shop.localhost:3002" }, true],
  ["from the network, under the name of localhost", { [CLIENT_ADDRESS_HEADER]: "192.168.1.9" }, false],
  ["under a foreign name that leads here", { host: "rebound.example:3002" }, false],
  ["by this machine’s address in the network", { host: "192.168.1.5:3002" }, false],
  ["through a proxy on this machine", { "x-forwarded-for": "203.0.113.9" }, false],
  ["through a proxy with the standard header Forwarded", { forwarded: "for=127.0.0.1" }, false],
  ["without a host", { host: undefined }, false],
  ["from an unknown address", { [CLIENT_ADDRESS_HEADER]: undefined }, false],
])("7 whether a request is from this machine: %s", (_, differs, isHere) => {
  const said = { host: "localhost:3002", [CLIENT_ADDRESS_HEADER]: "127.0.0.1", ...differs };
  const headers = Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined);
  expect(isFromThisMachine(new Request("http://localhost:3002", { headers }))).toBe(isHere);
});
