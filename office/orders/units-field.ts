import { z } from "zod";

/** Pieces of a size in a form's field: productId:size:quantity. */
export const unitsField = z.string().transform((text, context) => {
  const [, productId, size, quantity] = /^([^:]+):([^:]+):([1-9]\d{0,3})$/.exec(text) ?? [];
  if (productId && size) return { productId, size, quantity: Number(quantity) };
  context.addIssue({ code: "custom", message: "These are no pieces" });
  return z.NEVER;
});
