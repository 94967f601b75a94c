import { cachedTokens, reasoningTokens, type Success } from '../wire/answer-parts.ts';
import { pieces } from '../wire/pieces.ts';

/** The model to name, and whether to show the thinking. */
export interface MessageOptions {
  readonly model: string;
  readonly isThinking: boolean;
}

/** An event of a stream, named by its type. */
export interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Block {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

const textBlock = (text: string): Block => ({
  whole: { type: 'text', text },
  start: { type: 'text', text: '' },
  deltas: pieces(text, 5).map((piece) => ({ type: 'text_delta', text: piece })),
});

const thinkingBlock = (thinking: string, signature: string): Block => ({
  whole: { type: 'thinking', thinking, signature },
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...pieces(thinking, 5).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature },
  ],
});

/** The input of a call is sent as JSON text that starts with an empty piece. */
const callBlock = ({ id, name, args }: NonNullable<Success['calls']>[number]): Block => ({
  whole: { type: 'tool_use', id, name, input: args },
  start: { type: 'tool_use', id, name, input: {} },
  deltas: ['', ...pieces(JSON.stringify(args), 6)].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
});

const toBlocks = (answer: Success, { isThinking }: MessageOptions): readonly Block[] => [
  ...(answer.reasoning === undefined || !isThinking
    ? []
    : [thinkingBlock(answer.reasoning, answer.signature ?? 'RXFRQg==')]),
  ...(answer.text === undefined ? [] : [textBlock(answer.text)]),
  ...(answer.calls ?? []).map(callBlock),
];

const stop = ({ finish }: Success): object => ({
  stop_reason: { stop: 'end_turn', length: 'max_tokens', 'tool-calls': 'tool_use', refusal: 'refusal' }[finish],
  stop_sequence: null,
  ...(finish === 'refusal' ? { stop_details: { type: 'refusal', category: null, explanation: null } } : {}),
});

const usage = (answer: Success, output: number): object => ({
  input_tokens: answer.usage.input - cachedTokens(answer),
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens(answer),
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { thinking_tokens: output === answer.usage.output ? reasoningTokens(answer) : 0 },
  service_tier: 'standard',
});

const message = (model: string, members: object): object => ({
  model,
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  ...members,
});

/** A whole answer: https://docs.anthropic.com/en/api/messages */
export const messagesAnswer = (answer: Success, options: MessageOptions): object =>
  message(options.model, {
    content: toBlocks(answer, options).map(({ whole }) => whole),
    ...stop(answer),
    usage: usage(answer, answer.usage.output),
  });

/** The events of a streamed answer: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export const messageEvents = (answer: Success, options: MessageOptions): readonly StreamEvent[] => [
  {
    type: 'message_start',
    message: message(options.model, { content: [], stop_reason: null, stop_sequence: null, usage: usage(answer, 1) }),
  },
  ...toBlocks(answer, options).flatMap(({ start, deltas }, index) => [
    { type: 'content_block_start', index, content_block: start },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]),
  {
    type: 'message_delta',
    delta: stop(answer),
    usage: {
      input_tokens: answer.usage.input - cachedTokens(answer),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cachedTokens(answer),
      output_tokens: answer.usage.output,
      output_tokens_details: { thinking_tokens: reasoningTokens(answer) },
    },
  },
  { type: 'message_stop' },
];
