import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, numberOf, objectOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { type QuotedMembers, sourceSpans } from '../wire/source-spans.ts';
import { fileSpan, inside, type SpanPlace, span, valueSpan } from '../wire/text-spans.ts';

/** Where a part's values are, in both spellings, and what they are. */
const values = [
  ['functionCall', 'args', 'tool-arguments'],
  ['function_call', 'args', 'tool-arguments'],
  ['functionResponse', 'response', 'tool-result'],
  ['function_response', 'response', 'tool-result'],
  ['executableCode', 'code', 'server-tool'],
  ['executable_code', 'code', 'server-tool'],
  ['codeExecutionResult', 'output', 'server-tool'],
  ['code_execution_result', 'output', 'server-tool'],
  ['toolCall', 'args', 'server-tool'],
  ['tool_call', 'args', 'server-tool'],
  ['toolResponse', 'response', 'server-tool'],
  ['tool_response', 'response', 'server-tool'],
] as const;

/** A file of text that stands in the request itself. */
const inlineSpans = (part: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  (['inlineData', 'inline_data'] as const).flatMap((name) => {
    const { mimeType, mime_type: type, data } = objectOf(part[name]) ?? {};
    return fileSpan(mimeType ?? type, data, inside(place, name, 'data'));
  });

/** The files of text that a function gave beside its response. */
const resultFileSpans = (part: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  (['functionResponse', 'function_response'] as const).flatMap((name) =>
    (itemsOf(objectOf(part[name])?.parts) ?? []).flatMap((file, index) =>
      inlineSpans(objectOf(file) ?? {}, inside({ ...place, kind: 'tool-result' }, name, 'parts', index)),
    ),
  );

const partSpans = (part: JsonObject, place: SpanPlace): readonly TextSpan[] => [
  ...span(part.text, part.thought === true ? { ...place, kind: 'reasoning' } : place, 'text'),
  ...inlineSpans(part, place),
  ...resultFileSpans(part, place),
  ...values.flatMap(([name, member, kind]) =>
    valueSpan(objectOf(part[name])?.[member], inside({ ...place, kind }, name, member)),
  ),
];

const contentSpans = (content: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  (itemsOf(objectOf(content)?.parts) ?? []).flatMap((part, index) =>
    partSpans(objectOf(part) ?? {}, inside(place, 'parts', index)),
  );

/** The texts of some contents; the first is the one with the index `from`. */
const spansFrom = (contents: readonly Json[], from: number): readonly TextSpan[] =>
  contents.flatMap((content, index) =>
    contentSpans(content, inside({ at: rootPointer, kind: 'text' }, 'contents', from + index)),
  );

const requestTexts = messageTexts({ member: 'contents', model: 'model', spansFrom });

export const earlierTexts = (body: JsonObject): readonly TextSpan[] => {
  return [
    ...(['systemInstruction', 'system_instruction'] as const).flatMap((name) =>
      contentSpans(body[name], inside({ at: rootPointer, kind: 'text' }, name)),
    ),
    ...requestTexts.earlier(body),
  ];
};

const chunk: QuotedMembers = { within: ['web', 'retrievedContext', 'maps'], members: ['title', 'text'] };
const recited: QuotedMembers = { members: ['title'] };

/** What was searched for, and what was found. */
const groundingSpans = (grounding: JsonObject, outside: SpanPlace): readonly TextSpan[] => {
  const place = inside(outside, 'groundingMetadata');
  const queries: SpanPlace = { ...place, kind: 'server-tool' };
  return [
    ...valueSpan(grounding.webSearchQueries, inside(queries, 'webSearchQueries')),
    ...valueSpan(grounding.retrievalQueries, inside(queries, 'retrievalQueries')),
    ...sourceSpans(grounding.groundingChunks, inside(place, 'groundingChunks'), chunk),
  ];
};

/** Passages that were recited; their list has another name at Vertex. */
const recitationSpans = (metadata: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  (['citationSources', 'citations'] as const).flatMap((name) =>
    sourceSpans(metadata[name], inside(place, 'citationMetadata', name), recited),
  );

const answerSpans = (candidates: readonly Json[]): readonly TextSpan[] | undefined => {
  const spans = candidates.flatMap((each, position) => {
    const candidate = objectOf(each) ?? {};
    const place: SpanPlace = { at: rootPointer, kind: 'text', choice: numberOf(candidate.index) ?? position };
    const at = inside(place, 'candidates', position);
    const [grounding, recitations] = [objectOf(candidate.groundingMetadata), objectOf(candidate.citationMetadata)];
    // The message quotes a call that the model wrote in no valid form.
    return [
      ...(grounding === undefined ? [] : groundingSpans(grounding, at)),
      ...(recitations === undefined ? [] : recitationSpans(recitations, at)),
      ...contentSpans(candidate.content, inside(at, 'content')),
      ...span(candidate.finishMessage, at, 'finishMessage'),
    ];
  });
  return readable(spans, candidates);
};

/** A refused prompt is an answer without any text of its own. */
export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined => {
  if (phase === 'input') return requestTexts.judged(body);
  const candidates = itemsOf(body.candidates);
  if (candidates !== undefined) return answerSpans(candidates);
  const feedback = objectOf(body.promptFeedback);
  return (
    feedback &&
    span(
      feedback.blockReasonMessage,
      { at: rootPointer, kind: 'text', choice: 0 },
      'promptFeedback',
      'blockReasonMessage',
    )
  );
};
