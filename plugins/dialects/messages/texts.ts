import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf, textOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { contentSpans, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';

/** The members by which a text quotes its sources, whatever kind of place they are cited by. */
const cited: QuotedMembers = { members: ['cited_text', 'document_title', 'title'] };

const blockSpans = (block: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const type = textOf(block.type) ?? '';
  if (type === 'thinking') return span(block.thinking, { ...place, kind: 'reasoning' }, 'thinking');
  if (type === 'tool_use') return valueSpan(block.input, inside({ ...place, kind: 'tool-arguments' }, 'input'));
  if (type.endsWith('_tool_use')) return valueSpan(block.input, inside({ ...place, kind: 'server-tool' }, 'input'));
  if (type === 'tool_result') return contentSpans(block, { ...place, kind: 'tool-result' });
  if (type.endsWith('_tool_result'))
    return valueSpan(block.content, inside({ ...place, kind: 'server-tool' }, 'content'));
  return [...sourceSpans(block.citations, inside(place, 'citations'), cited), ...contentSpans(block, place)];
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

/** Why the model has refused. */
const explanationSpans = (details: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  span(details.explanation, { ...place, kind: 'refusal' }, 'stop_details', 'explanation');

const answerSpans = ({ content, stop_details: details }: JsonObject): readonly TextSpan[] | undefined => {
  if (itemsOf(content) === undefined) return undefined;
  const place: SpanPlace = { at: rootPointer, kind: 'text', choice: 0 };
  return readable(
    [...spansOf(content, inside(place, 'content')), ...explanationSpans(objectOf(details) ?? {}, place)],
    content,
  );
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestTexts.judged(body) : answerSpans(body);
