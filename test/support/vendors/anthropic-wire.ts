/**
 * Messages as the vendor documents them, written for tests: answers, streams and errors.
 * https://docs.anthropic.com/en/api/messages and /en/docs/build-with-claude/streaming
 */
import type { Reply } from './openai-wire.ts';

const identity = { id: 'msg_01Test', type: 'message', role: 'assistant' };
const cached = 4;
const defaultUse = { input: 21, output: 9 };

const usageOf = ({ used: { input, output } = defaultUse }: Reply): object => ({
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: output,
  service_tier: 'standard',
});

const stopReason = ({ toolCalls }: Reply): string => (toolCalls === undefined ? 'end_turn' : 'tool_use');
const toModel = ({ model }: Reply): string => model ?? 'claude-sonnet-4-5-20250929';

export const anthropicAnswer = (reply: Reply): object => ({
  ...identity,
  model: toModel(reply),
  content: [
    ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]),
    ...(reply.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(text),
    })),
  ],
  stop_reason: stopReason(reply),
  stop_sequence: null,
  usage: usageOf(reply),
});

const event = <Event extends { readonly type: string }>(value: Event): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const block = (index: number, start: object, deltas: readonly object[]): readonly string[] => [
  event({ type: 'content_block_start', index, content_block: start }),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  event({ type: 'content_block_stop', index }),
];

/** The events of a streamed reply, each one complete, with a ping among them, as the vendor sends it. */
export const anthropicStream = (reply: Reply): readonly string[] => {
  const words = reply.text?.match(/\S+\s*/g) ?? [];
  const texts =
    reply.text === undefined
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          words.map((text) => ({ type: 'text_delta', text })),
        );
  const tools = (reply.toolCalls ?? []).flatMap(({ id, name, arguments: text }, at) =>
    block(at + (reply.text === undefined ? 0 : 1), { type: 'tool_use', id, name, input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      ...(text.match(/.{1,7}/gs) ?? []).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    ]),
  );
  const opening = {
    ...identity,
    model: toModel(reply),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usageOf(reply), output_tokens: 1 },
  };
  return [
    event({ type: 'message_start', message: opening }),
    event({ type: 'ping' }),
    ...texts,
    ...tools,
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: (reply.used ?? defaultUse).output },
    }),
    event({ type: 'message_stop' }),
  ];
};

export const anthropicError = (type: string, message: string): object => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_test',
});

/** The same error inside a stream. */
export const anthropicStreamError = (type: string, message: string): string =>
  event({ type: 'error', error: { type, message } });
