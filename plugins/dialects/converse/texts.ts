import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, objectOf, textOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { fileSpan, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';
import { mimeTypeOf } from './media-formats.ts';
import { isServerCall } from './server-tools.ts';

/** A list of objects, each read at its own place. */
const eachOf = (
  list: Json | undefined,
  place: SpanPlace,
  read: (item: JsonObject, place: SpanPlace) => readonly TextSpan[],
): readonly TextSpan[] =>
  (itemsOf(list) ?? []).flatMap((item, index) => read(objectOf(item) ?? {}, inside(place, index)));

const textSpan = ({ text }: JsonObject, place: SpanPlace): readonly TextSpan[] => span(text, place, 'text');

/** A document given as text, or as a file of text. */
const documentSpans = (document: JsonObject | undefined, place: SpanPlace): readonly TextSpan[] => {
  const source = objectOf(document?.source) ?? {};
  return [
    ...textSpan(source, inside(place, 'source')),
    ...fileSpan(mimeTypeOf('document', textOf(document?.format) ?? ''), source.bytes, inside(place, 'source', 'bytes')),
    ...eachOf(source.content, inside(place, 'source', 'content'), textSpan),
  ];
};

const resultSpans = (block: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...textSpan(block, place),
  ...valueSpan(block.json, inside(place, 'json')),
  ...documentSpans(objectOf(block.document), inside(place, 'document')),
  ...eachOf(objectOf(block.searchResult)?.content, inside(place, 'searchResult', 'content'), textSpan),
];

const callSpans = (call: JsonObject | undefined, place: SpanPlace): readonly TextSpan[] => {
  const kind = call !== undefined && isServerCall(call) ? 'server-tool' : 'tool-arguments';
  return valueSpan(call?.input, inside({ ...place, kind }, 'input'));
};

const titled: QuotedMembers = { members: ['title'] };
const passage: QuotedMembers = { members: ['text'] };

const citedSpans = ({ citations, content }: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...sourceSpans(citations, inside(place, 'citations'), titled),
  ...eachOf(citations, inside(place, 'citations'), ({ sourceContent }, at) =>
    sourceSpans(sourceContent, inside(at, 'sourceContent'), passage),
  ),
  ...eachOf(content, inside(place, 'content'), textSpan),
];

const blockSpans =
  (isModel: boolean) =>
  (block: JsonObject, place: SpanPlace): readonly TextSpan[] => {
    const resultKind = isModel ? 'server-tool' : 'tool-result';
    const reasoning = inside({ ...place, kind: 'reasoning' }, 'reasoningContent', 'reasoningText');
    return [
      ...textSpan(block, place),
      ...callSpans(objectOf(block.toolUse), inside(place, 'toolUse')),
      ...eachOf(
        objectOf(block.toolResult)?.content,
        inside({ ...place, kind: resultKind }, 'toolResult', 'content'),
        resultSpans,
      ),
      ...textSpan(objectOf(objectOf(block.reasoningContent)?.reasoningText) ?? {}, reasoning),
      ...textSpan(objectOf(objectOf(block.guardContent)?.text) ?? {}, inside(place, 'guardContent', 'text')),
      ...citedSpans(objectOf(block.citationsContent) ?? {}, inside(place, 'citationsContent')),
      ...documentSpans(objectOf(block.document), inside(place, 'document')),
      ...eachOf(objectOf(block.searchResult)?.content, inside(place, 'searchResult', 'content'), textSpan),
    ];
  };

/** The texts of some messages; the first is the one with the index `from`. */
const spansFrom = (messages: readonly Json[], from: number): readonly TextSpan[] =>
  messages.flatMap((message, index) => {
    const { role, content } = objectOf(message) ?? {};
    const place = inside({ at: rootPointer, kind: 'text' }, 'messages', from + index, 'content');
    return eachOf(content, place, blockSpans(role === 'assistant'));
  });

const requestTexts = messageTexts({ member: 'messages', model: 'assistant', spansFrom });

export const earlierTexts = (body: JsonObject): readonly TextSpan[] => {
  return [
    ...eachOf(body.system, inside({ at: rootPointer, kind: 'text' }, 'system'), blockSpans(false)),
    ...requestTexts.earlier(body),
  ];
};

const answerSpans = (body: JsonObject): readonly TextSpan[] | undefined => {
  const content = objectOf(objectOf(body.output)?.message)?.content;
  const place = inside({ at: rootPointer, kind: 'text', choice: 0 }, 'output', 'message', 'content');
  return itemsOf(content) === undefined ? undefined : readable(eachOf(content, place, blockSpans(true)), content);
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestTexts.judged(body) : answerSpans(body);
