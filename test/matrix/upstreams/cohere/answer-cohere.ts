import { cachedTokens, type Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';

/** An event of a stream, named by its type. */
export interface CohereEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

const id = 'c14c80c3-18eb-4519-9460-6c92edd8cfb4';

/** A refusal is an answer like any other. */
const ending = (answer: Success): object => ({
  finish_reason: { stop: 'COMPLETE', refusal: 'COMPLETE', length: 'MAX_TOKENS', 'tool-calls': 'TOOL_CALL' }[
    answer.finish
  ],
  usage: {
    billed_units: { input_tokens: answer.usage.input, output_tokens: answer.usage.output },
    tokens: { input_tokens: answer.usage.input, output_tokens: answer.usage.output },
    cached_tokens: cachedTokens(answer),
  },
});

interface Content {
  readonly kind: 'thinking' | 'text';
  readonly text: string;
}

const toContent = ({ reasoning, text }: Success): readonly Content[] => [
  ...(reasoning === undefined ? [] : [{ kind: 'thinking', text: reasoning } as const]),
  ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
];

const toCall = ({ id: callId, name, args }: NonNullable<Success['calls']>[number], isOpen = false): object => ({
  id: callId,
  type: 'function',
  function: { name, arguments: isOpen ? '' : JSON.stringify(args) },
});

/** A whole answer: https://docs.cohere.com/reference/chat */
export const cohereAnswer = (answer: Success): object => ({
  id,
  message: {
    role: 'assistant',
    ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map((call) => toCall(call)) }),
    ...(toContent(answer).length === 0
      ? {}
      : { content: toContent(answer).map(({ kind, text }) => ({ type: kind, [kind]: text })) }),
  },
  ...ending(answer),
});

const inMessage = (message: object): object => ({ delta: { message } });

const contentEvents = ({ kind, text }: Content, index: number): readonly CohereEvent[] => [
  { type: 'content-start', index, ...inMessage({ content: { type: kind, [kind]: '' } }) },
  ...pieces(text, 5).map((piece) => ({ type: 'content-delta', index, ...inMessage({ content: { [kind]: piece } }) })),
  { type: 'content-end', index },
];

/** The events of a streamed answer: https://docs.cohere.com/reference/chat-stream */
export const cohereEvents = (answer: Success): readonly CohereEvent[] => [
  {
    id,
    type: 'message-start',
    ...inMessage({ role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }),
  },
  ...toContent(answer).flatMap(contentEvents),
  ...(answer.calls ?? []).flatMap((call, index) => [
    { type: 'tool-call-start', index, ...inMessage({ tool_calls: toCall(call, true) }) },
    ...pieces(JSON.stringify(call.args), 6).map((piece) => ({
      type: 'tool-call-delta',
      index,
      ...inMessage({ tool_calls: { function: { arguments: piece } } }),
    })),
    { type: 'tool-call-end', index },
  ]),
  { type: 'message-end', delta: ending(answer) },
];
