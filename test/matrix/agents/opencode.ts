import { type Agent, jsonLines } from './agent.ts';

/** https://opencode.ai/docs/providers/#custom-provider */
export const opencode: Agent = {
  library: 'opencode',
  dialect: 'chat',
  npm: 'opencode-ai@1.18.33',
  program: 'opencode',
  reads: (file) => ({ id: 'call_read', name: 'read', args: { filePath: file } }),
  command: ({ origin, headers, prompt }) => ({
    args: ['run', '--format', 'json', prompt],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    files: {
      'opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'gateway/a-model',
        small_model: 'gateway/a-model',
        provider: {
          gateway: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${origin}/v1`, apiKey: 'not-sent', headers },
            models: { 'a-model': {} },
          },
        },
      }),
    },
  }),
  said: (printed) => {
    const events = jsonLines(printed);
    const parts = events.map(({ part }) => Object(part));
    const steps = parts.flatMap(({ type, tokens }) => (type === 'step-finish' ? [Object(tokens)] : []));
    const sum = (counts: readonly unknown[]): number =>
      counts.reduce<number>((all, each) => all + Number(each ?? 0), 0);
    return {
      text: parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n'),
      usage: {
        input: sum(steps.flatMap(({ input, cache }) => [input, Object(cache).read, Object(cache).write])),
        output: sum(steps.flatMap(({ output, reasoning }) => [output, reasoning])),
      },
    };
  },
  cannot: [
    {
      families: ['openai', 'azure-openai'],
      reason: 'It sends `max_tokens`, which the provider refuses for this model.',
    },
  ],
};
