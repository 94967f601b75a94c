import type { JsonObject } from '../../../schema/json/json.ts';
import type { UpstreamHandler } from '../servers/upstream-server.ts';

/** The documented members of a request. Any other member is answered with 422: https://docs.mistral.ai/api/endpoint/fim */
const documented = new Set([
  ...['model', 'prompt', 'suffix', 'temperature', 'top_p', 'max_tokens', 'min_tokens', 'stream', 'stop', 'random_seed'],
  'metadata',
]);

const identity = { id: 'cmpl-e5cc70bb28c4', created: 1_790_000_000, model: 'codestral-2508' };
const usage = { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 };

const chunk = (delta: object, finish: string | null, more: object = {}): object => ({
  ...identity,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

const mistakeOf = ({ prompt, ...body }: JsonObject): string | undefined => {
  const unknown = Object.keys(body).find((name) => !documented.has(name));
  if (unknown !== undefined) return `Extra inputs are not permitted: ${unknown}`;
  return typeof prompt === 'string' ? undefined : 'Input should be a valid string: prompt';
};

/** Answers like Mistral's fill-in-the-middle API, in the format of chats, with a text in pieces. Other paths do not exist. */
export const fillingIn =
  (pieces: readonly string[]): UpstreamHandler =>
  (call) => {
    if (call.request.path !== '/v1/fim/completions') return call.json({ message: 'Not found' }, { status: 404 });
    const body = call.request.json() as JsonObject;
    const mistake = mistakeOf(body);
    if (mistake !== undefined)
      return call.json({ object: 'error', message: mistake, type: 'invalid_request' }, { status: 422 });
    if (body.stream !== true)
      return call.json({
        ...{ ...identity, object: 'chat.completion', usage },
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: pieces.join(''), tool_calls: null, prefix: false },
            finish_reason: 'stop',
          },
        ],
      });
    const events = call.sse();
    events.frame(chunk({ role: 'assistant', content: '' }, null));
    for (const content of pieces) events.frame(chunk({ content }, null));
    events.frame(chunk({ content: '' }, 'stop', { usage }));
    events.done();
  };
