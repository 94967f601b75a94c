import type { JsonSchemaErrors } from './compile-json-schema.ts';
import { jsonInText } from './json-in-text.ts';

/** The result of a schema for the JSON in a text. */
export interface JudgedJson {
  /** How many values were found. */
  readonly found: number;
  /** The errors of the first of them; empty if any of them is valid. */
  readonly errors: readonly string[];
}

/** Judges the JSON in a text: one valid value is enough. */
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
