import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

/** Returns the effort that Groq receives for a request to the gateway. */
const sentEffort = async (path: string, body: JsonObject): Promise<unknown> => {
  let sent = '{}';
  world.upstream.handle((call) => {
    sent = call.request.text();
    call.json(openaiAnswer({ text: 'Hello.' }));
  });
  const config = { provider: 'groq', api_key: 'key-of-the-test', custom_host: world.upstream.origin };
  const answer = await fetch(`${world.gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify(body),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello.')]);
  return JSON.parse(sent).reasoning_effort;
};

describe('the effort of a model on Groq', () => {
  it.each([
    ['qwen/qwen3-32b', 'low', 'default'],
    ['qwen/qwen3.6-27b', 'high', 'default'],
    ['qwen/qwen3-32b', 'none', 'none'],
    ['openai/gpt-oss-120b', 'low', 'low'],
  ])('is one that the model accepts if the request is translated: %s with %s', async (model, effort, sent) => {
    expect(await sentEffort('/v1/responses', { model, input: 'Hi', reasoning: { effort } })).toBe(sent);
  });

  it('is unchanged if a client sends it in the format of chats', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = { model: 'qwen/qwen3-32b', messages, reasoning_effort: 'low' };
    expect(await sentEffort('/v1/chat/completions', body)).toBe('low');
  });
});
