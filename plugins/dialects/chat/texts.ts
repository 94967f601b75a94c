import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, numberOf, objectOf, objectsOf } from '../../../schema/loose.ts';
import { rootPointer } from '../../../schema/pointer.ts';
import type { CheckPhase } from '../../../schema/trail.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { messageTexts } from '../wire/message-texts.ts';
import { readable } from '../wire/readable.ts';
import { argumentsSpan, contentSpans, inside, type SpanPlace, span } from '../wire/text-spans.ts';

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

/** Blocks repeat what the content says, so of them only the reasoning counts. */
const reasoningSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const reasoning = { ...place, kind: 'reasoning' as const };
  return [
    ...span(message.reasoning_content, reasoning, 'reasoning_content'),
    ...span(message.reasoning, reasoning, 'reasoning'),
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

const messageSpans = (message: JsonObject, place: SpanPlace): readonly TextSpan[] => {
  const content = contentSpans(message.content, inside(place, 'content'));
  if (hasContentAlone(message)) return content;
  return [
    ...reasoningSpans(message, place),
    ...content,
    ...span(message.refusal, { ...place, kind: 'refusal' }, 'refusal'),
    ...span(objectOf(message.audio)?.transcript, place, 'audio', 'transcript'),
    ...callSpans(message, place),
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
  return spans === undefined ? undefined : readable(spans, choices);
};

export const texts = (body: JsonObject, phase: CheckPhase): readonly TextSpan[] | undefined =>
  phase === 'input' ? requestTexts.judged(body) : answerSpans(body);
