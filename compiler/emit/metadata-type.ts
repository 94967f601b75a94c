import type { MetadataShape } from './metadata-shape.ts';
import { quote, unionText } from './source-text.ts';

/** The type of every value that a request's metadata can have. */
export const anyLabel = 'string | number | boolean';

/**
 * The type of one metadata value: the literals that conditions name, for the editor to offer, and beside them any other
 * value of that kind, since a request may bring what no condition names.
 */
export const metadataType = (shape: MetadataShape): string => {
  const texts = shape.texts.map(quote);
  const numbers = shape.numbers.map(String);
  const arms = [
    ...texts,
    ...openArm('string', texts.length > 0, shape.anyText),
    ...numbers,
    ...openArm('number', numbers.length > 0, shape.anyNumber),
    ...(shape.booleans ? ['boolean'] : []),
    ...(shape.nulls ? ['null'] : []),
  ];
  if (arms.length > 0 && arms.some((arm) => arm !== 'null')) return unionText(arms);
  return shape.optional ? anyLabel : 'unknown';
};

/** `(string & {})` keeps the literals beside it from being swallowed by `string`. */
const openArm = (type: 'string' | 'number', hasLiterals: boolean, any: boolean): readonly string[] => {
  if (hasLiterals) return [`(${type} & {})`];
  return any ? [type] : [];
};
