import { z } from "zod";

const base64url = z.string().regex(/^[\w-]+$/);
const credential = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional().catch(undefined),
  clientExtensionResults: z.object({}).default({}),
});
const ANSWERS = {
  made: credential.extend({
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  }),
  used: credential.extend({
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.optional(),
    }),
  }),
};
type Answers = { [Kind in keyof typeof ANSWERS]: z.infer<(typeof ANSWERS)[Kind]> };

/** Parses a browser's response about a passkey that it has created or used. Undefined if the JSON has another shape. */
export function readPasskeyAnswer<Kind extends keyof Answers>(kind: Kind, json: string): Answers[Kind] | undefined {
  const parsed = z.string().transform(parseJson).pipe(ANSWERS[kind]).safeParse(json);
  return parsed.success ? (parsed.data as Answers[Kind]) : undefined;
}

function parseJson(text: string, { addIssue }: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    addIssue("is no JSON");
    return z.NEVER;
  }
}
