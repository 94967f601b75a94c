import { findItems, findObject } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { valueTexts } from '../../shared/checked-texts/text-spans.ts';
import { judgedTexts } from '../checked-texts/texts.ts';

/** The message of `message_start` is empty: https://docs.anthropic.com/en/docs/build-with-claude/streaming. */
export const repeats = ({ data }: Frame): readonly string[] => {
  if (!data.includes('"message"')) return [];
  const { content } = findObject(parseObject(data)?.message) ?? {};
  if (findItems(content) === undefined) return [];
  return valueTexts(judgedTexts.texts({ content: content ?? [] }, 'output'));
};
