import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { requireHead } from './chat.ts';
import { isAbsent, require, requireOneOf, toCount, toList, toName, toObject, toText } from './require.ts';

const reasons = ['stop', 'length', 'content_filter'];

/** A client that is not strict receives the words of the provider. */
const requireReason = (value: Json | undefined, isStrict: boolean): void => {
  if (isStrict) requireOneOf(value, reasons, 'finish_reason');
  else toName(value, 'finish_reason');
};

const toChoice = (value: Json): { readonly index: number; readonly choice: JsonObject } => {
  const choice = toObject(value, 'a choice');
  toText(choice.text, 'text');
  return { index: toCount(choice.index, 'the index of a choice'), choice };
};

/** Throws unless an answer has what https://platform.openai.com/docs/api-reference/completions/object requires. */
export const requireCompletion = (body: JsonObject, isStrict: boolean): void => {
  requireHead(body, 'text_completion');
  const seen = new Set<number>();
  for (const each of toList(body.choices, 'choices')) {
    const { index, choice } = toChoice(each);
    require(!seen.has(index), 'two choices have the same index.');
    seen.add(index);
    requireReason(choice.finish_reason, isStrict);
  }
};

/** Throws unless the frames are a whole stream of such objects. */
export const requireCompletionStream = (frames: readonly Frame[], isStrict: boolean): void => {
  require(frames.at(-1)?.data === '[DONE]', 'the last frame is another than [DONE].');
  const finished = new Set<number>();
  const ids = new Set<Json | undefined>();
  for (const { event, data } of frames.slice(0, -1)) {
    require(event === undefined, 'a chunk has an event.');
    const chunk = toObject(JSON.parse(data) as Json, 'a chunk');
    requireHead(chunk, 'text_completion');
    ids.add(chunk.id);
    for (const each of toList(chunk.choices, 'choices')) {
      const { index, choice } = toChoice(each);
      if (isAbsent(choice.finish_reason)) continue;
      requireReason(choice.finish_reason, isStrict);
      finished.add(index);
    }
  }
  require(ids.size <= 1, 'the id changes.');
  require(finished.size > 0, 'no choice finishes.');
};
