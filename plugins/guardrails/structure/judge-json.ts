import type { JsonSchemaErrors } from './compile-json-schema.ts';
import { jsonInText } from './json-in-text.ts';

/** The result of a schema for the JSON in a text. */
export interface JudgedJson {
  /** The number of values found. */
  readonly found: number;
  /** The errors of the first value. Empty if any of them is valid. */
  readonly errors: readonly string[];
}

/** Validates the JSON in a text. One valid value is enough. */
export const judgeJson = (text: string, readFaults: JsonSchemaErrors): JudgedJson => {
  const values = jsonInText(text);
  let first: readonly string[] | undefined;
  for (const value of values) {
    const reasons = readFaults(value);
    if (reasons.length === 0) return { found: values.length, errors: reasons };
    first ??= reasons;
  }
  return { found: values.length, errors: first ?? [] };
};
