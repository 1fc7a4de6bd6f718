import { expect, test } from "vitest";
import { post } from "#app/routes/api.cart.ts";
import { useDatabase } from "#tests/support/database.ts";
import { localLimit } from "./local-limit.server.ts";

useDatabase();

test("only a network with too many requests in a minute is refused; an IPv6 household counts as one", () => {
  const may = localLimit("test", 2);
  expect(may("203.0.113.9").ok).toBe(true);
  expect(may("203.0.113.9").ok).toBe(true);
  expect(may("203.0.113.9")).toEqual({ ok: false, retryAfter: 60 });
  expect(may("203.0.113.10").ok).toBe(true);
  expect(["2001:db8::1", "2001:db8:0:0:5::", "2001:0db8::2"].map((address) => may(address).ok)).toEqual([
    true,
    true,
    false,
  ]);
  expect(may("2001:db8:0:1::1").ok).toBe(true);
});

test("the oldest of very many networks are dropped, so that memory is bounded", () => {
  const may = localLimit("test", 1);
  for (let i = 0; i <= 10_000; i++) may(`network ${i}`);
  expect(may("network 10000").ok).toBe(false);
  expect(may("network 0").ok).toBe(true);
});

test("the limit on pricing guests' carts lets a shared address through, and stops a script", async () => {
  const ask = (address: string) =>
    post(
      new Request("http://shop/api/cart", {
        method: "POST",
        headers: { "x-irepo-client": address },
        body: '{"intent":"price","items":[]}',
      }),
    );
  const statusOf = async (address: string) => {
    const answer = await ask(address);
    return answer instanceof Response ? answer.status : (answer.status ?? 200);
  };
  const statuses = [];
  for (let i = 0; i < 3001; i++) statuses.push(await statusOf("203.0.113.9"));
  expect(new Set(statuses.slice(0, 3000))).toEqual(new Set([200]));
  expect(statuses.at(-1)).toBe(429);
  expect(await statusOf("203.0.113.10")).toBe(200);
});
