/** What the provider's library is handed, by name; anything else it would drop without a word. */
const TYPES: Record<string, readonly string[]> = {
  key: ["string"],
  email: ["string"],
  amount: ["string", "number"],
  currency: ["string"],
  reference: ["string"],
  accessCode: ["string"],
  channels: ["array"],
  metadata: ["object"],
};

/** With an access code the server has opened the transaction: the library needs nothing else. */
const REQUIRED = ["key", "email", "amount"] as const;

/** The wallet's button needs a place on the page. */
export const NO_CONTAINER = "A container is required to mount the payment request button";

export type ParameterProblems = { message: string; issues: string[] };

/** Looks at a transaction's parameters before the library does; undefined when they are good. The messages are the specification's. */
export function parameterProblems(parameters: unknown): ParameterProblems | undefined {
  if (!isRecord(parameters) || Object.keys(parameters).length === 0)
    return { message: "Transaction parameters should be a non-empty object", issues: [] };
  const given = parameters;
  const required: readonly string[] = Object.hasOwn(given, "accessCode") ? ["accessCode"] : REQUIRED;
  const missing = required.filter((name) => given[name] === undefined || given[name] === "");
  const mistyped = Object.entries(TYPES).filter(
    ([name, types]) => given[name] !== undefined && !types.includes(typeOf(given[name])),
  );
  const issues = [
    ...missing.map((name) => `Required parameter missing: ${name}`),
    ...mistyped.map(([name]) => `Invalid parameter type: ${name}`),
  ];
  return issues.length > 0 ? { message: "Invalid transaction parameters", issues } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === "object";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
