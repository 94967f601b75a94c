import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf, textOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { contentSpans, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';

const blockSpans = (block: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const type = textOf(block.type) ?? '';
  if (type === 'thinking') return span(block.thinking, { ...place, kind: 'reasoning' }, 'thinking');
  if (type === 'tool_use') return valueSpan(block.input, inside({ ...place, kind: 'tool-arguments' }, 'input'));
  if (type.endsWith('_tool_use')) return valueSpan(block.input, inside({ ...place, kind: 'server-tool' }, 'input'));
  if (type === 'tool_result') return contentSpans(block, { ...place, kind: 'tool-result' });
  if (type.endsWith('_tool_result'))
    return valueSpan(block.content, inside({ ...place, kind: 'server-tool' }, 'content'));
  return contentSpans(block, place);
};

const spansOf = (content: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  itemsOf(content)?.flatMap((block, index) => blockSpans(objectOf(block) ?? {}, inside(place, index))) ??
  contentSpans(content, place);

/** The texts of some messages; the first is the one with the index `from`. */
const spansFrom = (messages: readonly Json[], from: number): readonly TextSpan[] =>
  messages.flatMap((message, index) =>
    spansOf(objectOf(message)?.content, inside({ at: rootPointer, kind: 'text' }, 'messages', from + index, 'content')),
  );

const requestTexts = messageTexts({ member: 'messages', model: 'assistant', spansFrom });

export const earlierTexts = (body: JsonObject): readonly TextSpan[] => {
  return [...spansOf(body.system, inside({ at: rootPointer, kind: 'text' }, 'system')), ...requestTexts.earlier(body)];
};

const answerSpans = (body: JsonObject): readonly TextSpan[] | undefined =>
  itemsOf(body.content) === undefined
    ? undefined
    : readable(spansOf(body.content, inside({ at: rootPointer, kind: 'text', choice: 0 }, 'content')), body.content);

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestTexts.judged(body) : answerSpans(body);
