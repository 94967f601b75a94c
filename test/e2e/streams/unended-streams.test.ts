import { expect, it } from 'vitest';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { responseStream } from '../../support/vendors/openai-responses-wire.ts';
import { openaiStream } from '../../support/vendors/openai-wire.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const ask = async (path: string, provider: string): Promise<string> => {
  const config = { provider, api_key: 'k', custom_host: `${world.upstream.origin}/v1` };
  const asked = { model: 'm', stream: true, max_tokens: 9 };
  const body =
    path === '/responses' ? { ...asked, input: 'Hi.' } : { ...asked, messages: [{ role: 'user', content: 'Hi.' }] };
  const answer = await fetch(`${world.gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify(body),
  });
  return answer.text();
};

const chatFrames = openaiStream({ text: 'hello' });
const messageFrames = anthropicStream({ text: 'hello' });
const responseFrames = responseStream('hello');

it.concurrent.each([
  { to: 'chat', path: '/chat/completions', provider: 'openai', last: 'data: [DONE]\n\n' },
  { to: 'messages', path: '/messages', provider: 'anthropic', last: messageFrames.at(-1) },
  { to: 'responses', path: '/responses', provider: 'openai', last: responseFrames.at(-1) },
  {
    to: 'messages, for chat',
    path: '/chat/completions',
    provider: 'anthropic',
    last: 'data: [DONE]\n\n',
  },
])(
  'a stream of $to ends at its end even if its provider keeps the connection open',
  async ({ path, provider, last = '' }) => {
    world.upstream.handle((call) => {
      const isMessages = call.request.path.endsWith('/messages');
      const isResponses = call.request.path.endsWith('/responses');
      const events = call.sse();
      for (const frame of isMessages ? messageFrames : isResponses ? responseFrames : chatFrames) events.send(frame);
    });
    const text = await ask(path, provider);
    expect(text.endsWith(last)).toBe(true);
    expect(text).not.toContain('stream-idle');
  },
);
