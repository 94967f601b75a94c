/**
 * Chat completions as the vendor documents them, written for tests: answers, streams and errors.
 * https://platform.openai.com/docs/api-reference/chat
 */

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface Reply {
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly model?: string;
  /** The token usage. A fixed small one if absent. */
  readonly used?: { readonly input: number; readonly output: number };
}

const identity = { id: 'chatcmpl-9xKz1', created: 1_790_000_000, system_fingerprint: 'fp_test' };
const usageOf = ({ used: { input, output } = { input: 21, output: 9 } }: Reply): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});

const finishReason = ({ toolCalls }: Reply): string => (toolCalls === undefined ? 'stop' : 'tool_calls');

export const openaiAnswer = (reply: Reply): object => ({
  ...identity,
  object: 'chat.completion',
  model: reply.model ?? 'gpt-4o-mini-2024-07-18',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: reply.text ?? null,
        refusal: null,
        annotations: [],
        ...(reply.toolCalls === undefined
          ? {}
          : {
              tool_calls: reply.toolCalls.map(({ id, name, arguments: text }) => ({
                id,
                type: 'function',
                function: { name, arguments: text },
              })),
            }),
      },
      logprobs: null,
      finish_reason: finishReason(reply),
    },
  ],
  usage: usageOf(reply),
  service_tier: 'default',
});

const pieces = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

/** The events of a streamed reply, each one complete. The last is the end mark. */
export const openaiStream = (
  reply: Reply,
  { withUsage = false }: { readonly withUsage?: boolean } = {},
): readonly string[] => {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ ...identity, object: 'chat.completion.chunk', model: reply.model ?? 'gpt-4o-mini-2024-07-18', service_tier: 'default', choices, ...more })}\n\n`;
  const delta = (value: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: value, logprobs: null, finish_reason: finish }], withUsage ? { usage: null } : {});
  return [
    delta({ role: 'assistant', content: reply.text === undefined ? null : '', refusal: null }),
    ...pieces(reply.text ?? '').map((content) => delta({ content })),
    ...(reply.toolCalls ?? []).flatMap(({ id, name, arguments: text }, index) => [
      delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...(text.match(/.{1,7}/gs) ?? []).map((part) =>
        delta({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    delta({}, finishReason(reply)),
    ...(withUsage ? [chunk([], { usage: usageOf(reply) })] : []),
    'data: [DONE]\n\n',
  ];
};

export const openaiError = (message: string, type: string, code: string | null = null): object => ({
  error: { message, type, param: null, code },
});
