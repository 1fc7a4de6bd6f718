import { beforeEach, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { readSignedCookie, signedCookie } from "./cookie.server.ts";

const [OLD, NEW] = ["an old secret of some length ".repeat(2), "a new secret of some length ".repeat(2)];
const use = (secret: string, fallback?: string) => {
  vi.spyOn(env, "sessionSecret", "get").mockReturnValue(secret);
  env.SESSION_FALLBACK_SECRET = fallback;
};
/** A request that brings these cookies. */
const bringing = (...cookies: string[]) =>
  new Request("http://localhost/", {
    headers: { cookie: cookies.map((cookie) => cookie.slice(0, cookie.indexOf(";"))).join("; ") },
  });

beforeEach(() => use(OLD));

test("while a secret is replaced, instances with either accept the signatures of both; afterwards only the new one's", () => {
  const byOld = bringing(signedCookie("cart", "1", 1000));
  use(NEW);
  expect(readSignedCookie(byOld, "cart")).toBeUndefined();
  use(NEW, OLD);
  expect(readSignedCookie(byOld, "cart")).toBe("1");
  const byNew = bringing(signedCookie("cart", "2", 1000));
  use(OLD, NEW);
  expect(readSignedCookie(byNew, "cart")).toBe("2");
  use(OLD);
  expect(readSignedCookie(byNew, "cart")).toBeUndefined();
});
