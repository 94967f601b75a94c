import type { Json } from '../../../schema/json.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { contentSpans, type SpanPlace } from './text-spans.ts';

const isUnread = (item: Json): boolean => typeof item === 'number' || Array.isArray(item);

/** A prompt, or a list of them; undefined for token ids, which nobody but the model can read. */
export const promptSpans = (prompt: Json | undefined, place: SpanPlace): readonly TextSpan[] | undefined => {
  const items = Array.isArray(prompt) ? prompt : [prompt ?? ''];
  return items.some(isUnread) ? undefined : contentSpans(prompt, place);
};
