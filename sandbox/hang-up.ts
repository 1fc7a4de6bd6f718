import type { Context } from "hono";

/** The connection ends without an answer, as when a network breaks. */
export function hangUp(c: Context): Response {
  const { outgoing } = c.env as { outgoing?: { destroy(): void } };
  outgoing?.destroy();
  return new Response(null);
}
