/**
 * The parameters of the provider's library and their types. The library ignores any other parameter without an error.
 */
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

/**
 * Required unless there is an access code: the server has opened the transaction then, and the library needs nothing
 * else.
 */
const REQUIRED = ["key", "email", "amount"] as const;

/** The error if there is no element for the wallet's button. */
export const NO_CONTAINER = "A container is required to mount the payment request button";

export type ParameterProblems = { message: string; issues: string[] };

/**
 * Checks a transaction's parameters before the library does; undefined if they are valid. The messages are the
 * specification's.
 */
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
