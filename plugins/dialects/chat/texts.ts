import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, numberOf, objectOf, objectsOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { sourceSpans } from '../wire/source-spans.ts';
import { argumentsSpan, contentSpans, inside, type SpanPlace, span } from '../wire/text-spans.ts';
import { reasoningDetails, untoldDetails } from './reasoning-details.ts';
import { answerSources, foundPage, messageSources } from './source-texts.ts';

const callSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const calls = { ...place, kind: 'tool-arguments' as const };
  const legacy = objectOf(message.function_call);
  return [
    ...objectsOf(message.tool_calls).flatMap((call, index) => [
      ...argumentsSpan(objectOf(call.function)?.arguments, inside(calls, 'tool_calls', index, 'function', 'arguments')),
      ...span(objectOf(call.custom)?.input, calls, 'tool_calls', index, 'custom', 'input'),
    ]),
    ...argumentsSpan(legacy?.arguments, inside(calls, 'function_call', 'arguments')),
  ];
};

/** Tools that a provider such as Groq ran itself: https://console.groq.com/docs/agentic-tooling */
const executedSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  objectsOf(message.executed_tools).flatMap((tool, index) => {
    const at = inside({ ...place, kind: 'server-tool' }, 'executed_tools', index);
    return [
      ...argumentsSpan(tool.arguments, inside(at, 'arguments')),
      ...span(tool.output, at, 'output'),
      ...sourceSpans(objectOf(tool.search_results)?.results, inside(at, 'search_results', 'results'), foundPage),
      ...sourceSpans(tool.browser_results, inside(at, 'browser_results'), foundPage),
      ...objectsOf(tool.code_results).flatMap(({ text }, number) => span(text, at, 'code_results', number, 'text')),
    ];
  });

/** Pieces that say the reasoning again: of an answer they count where nothing else tells it. */
const detailSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] =>
  (place.choice === undefined ? reasoningDetails : untoldDetails)(message).flatMap(({ index, member, text }) =>
    span(text, place, 'reasoning_details', index, member),
  );

/** Blocks repeat what the content says, so of them only the reasoning counts. */
const reasoningSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const reasoning = { ...place, kind: 'reasoning' as const };
  return [
    ...span(message.reasoning_content, reasoning, 'reasoning_content'),
    ...span(message.reasoning, reasoning, 'reasoning'),
    ...detailSpans(message, reasoning),
    ...objectsOf(message.content_blocks).flatMap((block, index) =>
      span(block.thinking, reasoning, 'content_blocks', index, 'thinking'),
    ),
  ];
};

/** Whether a message has nothing but its content, as most have. */
const hasContentAlone = (message: JsonObject): boolean => {
  for (const key in message) if (key !== 'role' && key !== 'content' && key !== 'name') return false;
  return true;
};

/** Providers such as Mistral have their thinking among the parts of the content: as a text, or as parts of their own. */
const partSpans = (part: Json, place: SpanPlace): readonly TextSpan[] => [
  ...contentSpans(objectOf(part)?.thinking, inside({ ...place, kind: 'reasoning' }, 'thinking')),
  ...contentSpans(part, place),
];

const messageSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const at = inside(place, 'content');
  const content =
    itemsOf(message.content)?.flatMap((part, index) => partSpans(part, inside(at, index))) ??
    contentSpans(message.content, at);
  if (hasContentAlone(message)) return content;
  return [
    ...reasoningSpans(message, place),
    ...messageSources(message, place),
    ...content,
    ...span(message.refusal, { ...place, kind: 'refusal' }, 'refusal'),
    ...span(objectOf(message.audio)?.transcript, place, 'audio', 'transcript'),
    ...callSpans(message, place),
    ...executedSpans(message, place),
  ];
};

/** The texts of some messages; the first is the one with the index `from`. */
const spansFrom = (messages: readonly Json[], from: number): readonly TextSpan[] =>
  messages.flatMap((each, index) => {
    const message = objectOf(each) ?? {};
    const kind = message.role === 'tool' || message.role === 'function' ? 'tool-result' : 'text';
    return messageSpans(message, inside({ at: rootPointer, kind }, 'messages', from + index));
  });

const requestTexts = messageTexts({ member: 'messages', model: 'assistant', spansFrom });

/** A predicted answer repeats what was said before, such as a file that is being edited. */
const predictedSpans = (body: JsonObject): readonly TextSpan[] =>
  contentSpans(objectOf(body.prediction)?.content, inside({ at: rootPointer, kind: 'text' }, 'prediction', 'content'));

export const earlierTexts = (body: JsonObject): readonly TextSpan[] => [
  ...requestTexts.earlier(body),
  ...predictedSpans(body),
];

const answerSpans = (body: JsonObject): readonly TextSpan[] | undefined => {
  const choices = itemsOf(body.choices);
  const spans = choices?.flatMap((each, position) => {
    const choice = objectOf(each) ?? {};
    const place: SpanPlace = { at: rootPointer, kind: 'text', choice: numberOf(choice.index) ?? position };
    return messageSpans(objectOf(choice.message) ?? {}, inside(place, 'choices', position, 'message'));
  });
  return spans === undefined ? undefined : readable([...answerSources(body), ...spans], choices);
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestTexts.judged(body) : answerSpans(body);
