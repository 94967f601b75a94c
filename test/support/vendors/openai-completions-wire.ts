/**
 * Text completions as the vendor documents them, written for tests.
 * https://platform.openai.com/docs/api-reference/completions
 */
const identity = {
  id: 'cmpl-7uqkv',
  object: 'text_completion',
  created: 1_790_000_000,
  model: 'gpt-3.5-turbo-instruct',
};

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };

const choice = (text: string, finish: string | null): object => ({
  index: 0,
  text,
  logprobs: null,
  finish_reason: finish,
});

export const completionAnswer = (text: string): object => ({ ...identity, choices: [choice(text, 'stop')], usage });

/** The events of a streamed completion, each one complete. The last is the end mark. */
export const completionStream = (
  text: string,
  { withUsage = false }: { readonly withUsage?: boolean } = {},
): readonly string[] => {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ ...identity, choices, ...more })}\n\n`;
  return [
    chunk([choice('', null)]),
    ...(text.match(/\S+\s*/g) ?? []).map((piece) => chunk([choice(piece, null)])),
    chunk([choice('', 'stop')]),
    ...(withUsage ? [chunk([], { usage })] : []),
    'data: [DONE]\n\n',
  ];
};
