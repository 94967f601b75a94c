import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { Json } from '../../../schema/json/json.ts';

/** A JSON number. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a text from a path or a query to the value that its schema describes. If it cannot be converted it stays a text, which
 * the schema then refuses.
 */
export const coerceText = (text: string, { type }: ParameterSchema = {}): Json => {
  if ((type === 'integer' || type === 'number') && number.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};
