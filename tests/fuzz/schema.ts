import fc from "fast-check";
import { z } from "zod";
import { known, word } from "./words.ts";

type Schema = z.core.JSONSchema._JSONSchema;
/** Values that a field with this name sometimes gets, where more than its schema reads the text. */
export type Samples = Record<string, fc.Arbitrary<string>>;

/**
 * Values that the schema accepts. Its own checks and transformations are unknown here, so that some values are refused
 * nevertheless.
 */
export function accepted(schema: z.ZodType, samples: Samples = {}): fc.Arbitrary<unknown> {
  return ofSchema(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), samples);
}

function ofSchema(schema: Schema, samples: Samples): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return word;
  const inner = (one: Schema) => ofSchema(one, samples);
  const { anyOf = schema.oneOf } = schema;
  if (anyOf) return fc.oneof(...anyOf.map(inner));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return ofObject(schema, samples);
    case "array":
      return fc.array(inner((schema.items ?? {}) as Schema), { minLength: schema.minItems ?? 0, maxLength: 4 });
    case "integer":
      return fc.integer(within(schema));
    case "number":
      return fc.oneof(fc.integer(within(schema)), fc.constantFrom(0.5, 1e-7, 1e21));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return ofText(schema);
    default:
      return fc.oneof(word, fc.integer({ min: -1, max: 1000 }));
  }
}

function ofObject({ properties = {}, required = [], ...schema }: z.core.JSONSchema.JSONSchema, samples: Samples) {
  const fields = Object.entries(properties).map(([name, one]) => {
    const usual = ofSchema(one as Schema, samples);
    const sample = samples[name];
    if (!sample) return [name, usual];
    const likely = (one as z.core.JSONSchema.JSONSchema).type === "array" ? fc.array(sample, { maxLength: 3 }) : sample;
    return [name, fc.oneof({ weight: 4, arbitrary: likely as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: usual })];
  });
  const more = schema.additionalProperties;
  if (fields.length === 0 && more) return fc.dictionary(word, ofSchema(more as Schema, samples), { maxKeys: 4 });
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
}

const within = ({ minimum = -1000, maximum = 1_000_000 }: { minimum?: number; maximum?: number }) => ({
  min: Math.max(Math.ceil(minimum), -(2 ** 31)),
  max: Math.min(Math.floor(maximum), 2 ** 31),
});

function ofText({ format, pattern, minLength = 0, maxLength = 2 ** 16 }: z.core.JSONSchema.JSONSchema) {
  if (format === "uuid") return fc.oneof(known, fc.uuid());
  if (pattern) return fc.oneof(known, fc.stringMatching(new RegExp(pattern)));
  return word.map((text) => (text.length < minLength ? text.padEnd(minLength, "x") : text.slice(0, maxLength)));
}
