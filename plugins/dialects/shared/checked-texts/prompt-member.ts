import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import type { Member } from '../../../sdk/dialect/members.ts';
import type { SpanPlace, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { custom } from './members.ts';
import { inside } from './text-spans.ts';
import { UndocumentedTexts } from './undocumented-texts.ts';

const none: readonly TextSpan[] = [];

/** Whether an item is token ids, which are numbers, or lists of them. */
const isUnread = (item: Json): boolean => typeof item === 'number' || Array.isArray(item);

const readPrompt = (prompt: Json, place: SpanPlace): readonly TextSpan[] | undefined => {
  const spans: TextSpan[] = [];
  const stray = new UndocumentedTexts((found) => spans.push(...found));
  if (Array.isArray(prompt)) {
    if (prompt.some(isUnread)) return undefined;
    for (const [index, item] of prompt.entries()) stray.read(item, inside(place, index));
  } else if (isUnread(prompt)) return undefined;
  else if (isJsonObject(prompt) || typeof prompt === 'string') stray.read(prompt, place);
  else return none;
  return stray.areUnreadable ? undefined : spans;
};

/**
 * A prompt, or a list of prompts: texts, or objects with texts, such as those of models that embed images too. Token ids are
 * refused, because only the model can read them.
 */
export const prompt: Member = custom(readPrompt, (words) => words);
