import { describe, expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { call, clients, question } from '../../plugins/dialects/support/next-turn.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const thought = 'The user wants the weather.';

const answer: JsonObject = {
  ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm' },
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, reasoning_content: thought, tool_calls: [call] },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};

/** The path of each client, and its first request. */
const firstRequests: { readonly [client: string]: { readonly path: string; readonly body: JsonObject } } = {
  messages: { path: '/v1/messages', body: { model: 'm', max_tokens: 100, messages: [question] } },
  responses: { path: '/v1/responses', body: { model: 'm', input: [question] } },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: question.content }] }] },
  },
  converse: {
    path: '/model/m/converse',
    body: { messages: [{ role: 'user', content: [{ text: question.content }] }] },
  },
};

/** Lets a client call a tool and send the result. Returns the last message of the model that the provider gets. */
const continueWith = async (provider: string, client: string): Promise<unknown> => {
  world.upstream.handle((each) => each.json(answer));
  const { path, body } = firstRequests[client] ?? { path: '', body: {} };
  const config = { provider, api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
  const send = async (sent: JsonObject): Promise<JsonObject> => {
    const received = await fetch(`${world.gateway.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
      body: JSON.stringify(sent),
    });
    const text = await received.text();
    expect([received.status, text]).toMatchObject([200, expect.any(String)]);
    return parseObject(text) ?? {};
  };
  await send({ ...body, ...clients[client]?.next(await send(body)) });
  const last = (world.upstream.requests.at(-1)?.json() ?? {}) as JsonObject;
  return toObjects(last.messages).findLast(({ role }) => role === 'assistant');
};

describe('reasoning before a call', () => {
  it.each(Object.keys(firstRequests))('returns to a provider that takes it back, from a client of %s', async (id) => {
    expect(await continueWith('fireworks-ai', id)).toMatchObject({
      reasoning_content: thought,
      tool_calls: [{ function: { name: 'weather' } }],
    });
  });

  const takers = builtinProviders.flatMap(({ id, reasoningMember }) =>
    reasoningMember === undefined ? [] : [[id, reasoningMember] as const],
  );

  it.each(takers)('returns to %s as `%s`', async (id, member) => {
    expect(await continueWith(id, 'gemini')).toMatchObject({ [member]: thought });
  });

  it.each(['deepseek', 'moonshot'])('is required by %s, which refuses the request otherwise', (id) => {
    expect(takers.map(([taker]) => taker)).toContain(id);
  });

  it('is left out for a provider that does not take it back', async () => {
    expect(JSON.stringify(await continueWith('openai', 'gemini'))).not.toContain(thought);
  });
});
