import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import type { Json } from '../../../schema/json/json.ts';

/** A number as JSON writes it. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A text of a path or a query as the value that its schema describes. One that cannot be it stays a text, which the
 * schema then refuses.
 */
export const coerceText = (text: string, { type }: ParameterSchema = {}): Json => {
  if ((type === 'integer' || type === 'number') && number.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};
