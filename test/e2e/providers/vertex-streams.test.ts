import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const message = 'Resource exhausted. Please try again later.';
/** https://cloud.google.com/apis/design/errors */
const quota = { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } };

const begun = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_vrtx_1', type: 'message', role: 'assistant', model: 'claude-opus-4', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
];

const failing =
  (events: typeof begun) =>
  (call: UpstreamCall): void => {
    const stream = call.sse();
    for (const event of events) stream.frame(event, event.type);
    stream.frame(quota);
    stream.end();
  };

const config = (): string =>
  JSON.stringify({
    ...{ provider: 'vertex-ai', api_key: 'k', cloudb_project_id: 'p', cloudb_region: 'europe-west4' },
    custom_host: world.upstream.origin,
  });

const question = { model: 'claude-opus-4', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };

const ask = (path: string): Promise<Response> =>
  fetch(world.gateway.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config() },
    body: JSON.stringify({ ...question, stream: true }),
  });

describe("an error of Google in the stream of a model of Claude's", () => {
  it.each(['/messages', '/chat/completions'])('is the answer to %s if nothing came before it', async (path) => {
    world.upstream.handle(failing([]));
    const answer = await ask(path);
    expect([answer.status, await answer.json()]).toMatchObject([429, { error: { type: 'rate_limit_error', message } }]);
  });

  it('ends the stream of a client of another format with its message', async () => {
    world.upstream.handle(failing(begun));
    const text = await (await ask('/chat/completions')).text();
    expect(text).toContain('"content":"Hello"');
    expect(text).toContain(message);
    expect(text).not.toContain('stream-cut');
  });

  it("is thrown by Anthropic's client after the text that came before it", async () => {
    world.upstream.handle(failing(begun));
    const client = new Anthropic({
      ...{ baseURL: world.gateway.origin, apiKey: 'not-sent', maxRetries: 0 },
      defaultHeaders: { 'x-gw-config': config() },
    });
    const texts: string[] = [];
    const stream = client.messages.stream(question).on('text', (text) => texts.push(text));
    await expect(stream.finalMessage()).rejects.toThrow(message);
    expect(texts).toEqual(['Hello']);
  });
});
