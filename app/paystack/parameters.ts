/** What the provider's library is handed, by name; anything else it would drop without a word. */
const TYPES = {
  key: ["string"],
  email: ["string"],
  amount: ["string", "number"],
  currency: ["string"],
  reference: ["string"],
  accessCode: ["string"],
  channels: ["array"],
  metadata: ["object"],
} as const satisfies Record<string, readonly string[]>;

/** With an access code the server has opened the transaction: the library needs nothing else. */
const REQUIRED = ["key", "email", "amount"] as const;

export type ParameterProblems = { message: string; issues: string[] };

/** Looks at a transaction's parameters before the library does; undefined when they are good. The messages are the specification's. */
export function parameterProblems(parameters: unknown): ParameterProblems | undefined {
  if (typeOf(parameters) !== "object" || Object.keys(parameters as object).length === 0)
    return { message: "Transaction parameters should be a non-empty object", issues: [] };
  const given = parameters as Record<string, unknown>;
  const required: readonly string[] = Object.hasOwn(given, "accessCode") ? ["accessCode"] : REQUIRED;
  const missing = required.filter((name) => given[name] === undefined || given[name] === "");
  const mistyped = Object.entries(TYPES).filter(
    ([name, types]) => given[name] !== undefined && !(types as readonly string[]).includes(typeOf(given[name])),
  );
  const issues = [
    ...missing.map((name) => `Required parameter missing: ${name}`),
    ...mistyped.map(([name]) => `Invalid parameter type: ${name}`),
  ];
  return issues.length > 0 ? { message: "Invalid transaction parameters", issues } : undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
