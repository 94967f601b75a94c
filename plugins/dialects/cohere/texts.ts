import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf, objectsOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { argumentsSpan, contentSpans, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';

/** A document: a text, or an object whose `data` is a text or an object. */
const documentSpans = (document: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  if (typeof document === 'string') return span(document, place);
  return valueSpan(objectOf(document)?.data, inside(place, 'data'));
};

const blockSpans = (block: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...span(block.thinking, { ...place, kind: 'reasoning' }, 'thinking'),
  ...documentSpans(block.document, inside(place, 'document')),
  ...contentSpans(block, place),
];

const partSpans = (content: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  itemsOf(content)?.flatMap((block, index) => blockSpans(objectOf(block) ?? {}, inside(place, index))) ??
  span(content, place);

const source: QuotedMembers = { within: ['document', 'tool_output'], members: ['title', 'text', 'snippet'] };

const citationSpans = (citations: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  (itemsOf(citations) ?? []).flatMap((citation, index) =>
    sourceSpans(objectOf(citation)?.sources, inside(place, index, 'sources'), source),
  );

const messageSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...citationSpans(message.citations, inside(place, 'citations')),
  ...partSpans(message.content, inside(place, 'content')),
  ...span(message.tool_plan, { ...place, kind: 'reasoning' }, 'tool_plan'),
  ...objectsOf(message.tool_calls).flatMap((call, index) =>
    argumentsSpan(
      objectOf(call.function)?.arguments,
      inside({ ...place, kind: 'tool-arguments' }, 'tool_calls', index, 'function', 'arguments'),
    ),
  ),
];

/** The texts of some messages; the first is the one with the index `from`. */
const spansFrom = (messages: readonly Json[], from: number): readonly TextSpan[] =>
  messages.flatMap((each, index) => {
    const message = objectOf(each) ?? {};
    const kind = message.role === 'tool' ? 'tool-result' : 'text';
    return messageSpans(message, inside({ at: rootPointer, kind }, 'messages', from + index));
  });

const requestTexts = messageTexts({ member: 'messages', model: 'assistant', spansFrom });

export const earlierTexts = (body: JsonObject): readonly TextSpan[] => {
  return requestTexts.earlier(body);
};

const requestSpans = (body: JsonObject): readonly TextSpan[] | undefined => {
  const place: SpanPlace = { at: rootPointer, kind: 'text' };
  const documents = (itemsOf(body.documents) ?? []).flatMap((document, index) =>
    documentSpans(document, inside(place, 'documents', index)),
  );
  return requestTexts.judged(body, documents);
};

const answerSpans = (body: JsonObject): readonly TextSpan[] | undefined => {
  const message = objectOf(body.message);
  return message === undefined
    ? undefined
    : readable(messageSpans(message, inside({ at: rootPointer, kind: 'text', choice: 0 }, 'message')), message);
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestSpans(body) : answerSpans(body);
