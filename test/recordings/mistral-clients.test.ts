import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/servers/upstream-server.ts';
import { framesOfRecording, streamed } from './recorded.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const search = {
  type: 'function' as const,
  function: {
    name: 'webSearchTool',
    strict: true,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
};

const checks = { output_guardrails: [{ 'default.contains': { words: ['never'], operator: 'none' }, deny: true }] };
const recordings = streamed.filter(({ name }) => name.startsWith('mistral/'));

describe.each(recordings)('$name, streamed to the OpenAI library', (recording) => {
  it.each([{}, checks])('yields the recorded text or tool call with extra config %j', async (more: JsonObject) => {
    upstream.handle((call) => {
      const stream = call.sse();
      for (const { data } of framesOfRecording(recording)) stream.frame(data);
      stream.done();
    });
    const config = { provider: 'mistral-ai', api_key: 'k', custom_host: `${upstream.origin}/v1`, ...more };
    const client = new OpenAI({
      baseURL: gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
    });
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      tools: [search],
    });
    const thoughts: unknown[] = [];
    stream.on('chunk', ({ choices }) => {
      for (const { delta } of choices) {
        expect(['string', 'undefined']).toContain(typeof delta.content);
        if ('reasoning_content' in delta) thoughts.push(delta.reasoning_content);
      }
    });
    const message = (await stream.finalChatCompletion()).choices[0]?.message;
    const called = message?.tool_calls?.map((each) =>
      each.type === 'function' ? each.function.parsed_arguments : each,
    );
    if (recording.name.includes('reasoning')) {
      expect(message?.content).toBe('2 + 2 = 4');
      expect(thoughts.join('')).toContain('2+2=4.');
    } else expect(called).toEqual([{ query: 'current Berlin weather' }]);
  });
});

it.skipIf(recordings.length > 0)('there are no Mistral recordings to try', () => {
  expect(recordings).toEqual([]);
});
