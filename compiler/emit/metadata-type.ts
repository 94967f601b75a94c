import type { MetadataShape } from './metadata-shape.ts';
import { quote, unionText } from './source-text.ts';

/** The type of every value that a request's metadata can have. */
export const anyLabel = 'string | number | boolean';

/**
 * Returns the type of one metadata value: the literals that conditions name, so that the editor offers them, and any other value
 * of the same type, because requests may have values that no condition names.
 */
export const metadataType = (shape: MetadataShape): string => {
  const texts = shape.texts.map(quote);
  const numbers = shape.numbers.map(String);
  const arms = [
    ...texts,
    ...openUnionMember('string', texts.length > 0, shape.anyText),
    ...numbers,
    ...openUnionMember('number', numbers.length > 0, shape.anyNumber),
    ...(shape.booleans ? ['boolean'] : []),
    ...(shape.nulls ? ['null'] : []),
  ];
  if (arms.length > 0 && arms.some((arm) => arm !== 'null')) return unionText(arms);
  return shape.optional ? anyLabel : 'unknown';
};

/** `(string & {})` prevents `string` from absorbing the literals beside it. */
const openUnionMember = (type: 'string' | 'number', hasLiterals: boolean, any: boolean): readonly string[] => {
  if (hasLiterals) return [`(${type} & {})`];
  return any ? [type] : [];
};
