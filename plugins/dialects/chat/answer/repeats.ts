import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { valueTexts } from '../../shared/checked-texts/text-spans.ts';
import { judgedTexts } from '../checked-texts/texts.ts';

/**
 * Some providers repeat the message so far in each chunk, beside its delta. Only a chunk with such a message needs to be read.
 * The name is searched for without its opening quote, because text is full of quotes and a search that starts with one is slow.
 */
export const repeats = ({ data }: Frame): readonly string[] => {
  if (!data.includes('message"')) return [];
  const chunk = parseObject(data) ?? {};
  const choices = toObjects(chunk.choices).filter(({ message }) => findObject(message) !== undefined);
  return valueTexts(judgedTexts.texts({ choices }, 'output'));
};
