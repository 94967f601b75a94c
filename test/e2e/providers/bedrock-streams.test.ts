import { describe, expect, it, vi } from 'vitest';
import { awsEventStream } from '../../../plugins/sdk/framings/aws-eventstream.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { eventMessage } from '../../matrix/upstreams/converse/event-message.ts';
import { patience } from '../../support/run/patience.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream({ env: { GW_LOG: 'requests' } });

const secret = 'a-key-for-the-tests-of-bedrock';

const event = (type: string, payload: JsonObject): Buffer =>
  eventMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify(payload),
  );

const begun = [
  event('messageStart', { role: 'assistant' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello' } }),
];

const streams =
  (messages: readonly Buffer[]) =>
  (call: UpstreamCall): void => {
    const body = Buffer.concat(messages);
    call.answer({ headers: { 'content-type': awsEventStream.contentType }, body });
  };

const ask = (path: string, body: JsonObject): Promise<Response> =>
  fetch(world.gateway.origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-usage': 'true',
      'x-gw-config': JSON.stringify({ provider: 'bedrock', api_key: secret, custom_host: world.upstream.origin }),
    },
    body: JSON.stringify(body),
  });

describe('an error that Bedrock reports in a stream that has begun', () => {
  it.each([
    ['in a header', eventMessage({ ':message-type': 'error', ':error-code': 'Failed', ':error-message': secret }, '')],
    [
      'in its body',
      eventMessage(
        { ':message-type': 'exception', ':exception-type': 'throttlingException' },
        JSON.stringify({ message: secret }),
      ),
    ],
  ])('does not reveal the credential that it quotes %s', async (_, error) => {
    world.upstream.handle(streams([...begun, error]));
    const answer = await ask('/model/m/converse-stream', { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect(bytes.toString('latin1')).not.toContain(secret);
    // Throws if a checksum is wrong.
    const { frames } = awsEventStream.createSplitter().push(bytes);
    expect(JSON.stringify(frames.at(-1))).toContain('*'.repeat(secret.length));
  });
});

describe('an exception with which a stream of Bedrock begins', () => {
  it('has the code by which clients recognise that their conversation is too long', async () => {
    const message = 'Input is too long for requested model.';
    const headers = { ':message-type': 'exception', ':exception-type': 'validationException' };
    world.upstream.handle(streams([eventMessage(headers, JSON.stringify({ message }))]));
    const answer = await ask('/v1/chat/completions', {
      ...{ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message, code: 'context_length_exceeded' } },
    ]);
  });
});

/** Returns the usage in the log of a request. */
const usageOf = async (answer: Response): Promise<unknown> => {
  const trace = answer.headers.get('x-gw-trace-id');
  const find = () =>
    world.gateway.records().find((record) => record.trace === trace)?.trail as JsonObject[] | undefined;
  await vi.waitUntil(find, patience);
  return find()?.find(({ kind }) => kind === 'settled')?.usage;
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html */
const part = (value: JsonObject): Buffer =>
  event('chunk', { bytes: Buffer.from(JSON.stringify(value)).toString('base64'), p: 'abcdefg' });

describe('a model that is invoked at Bedrock by its own client', () => {
  const claude = 'anthropic.claude-3-haiku-20240307-v1:0';
  const question = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [] };
  const metrics = { inputTokenCount: 10, outputTokenCount: 5, invocationLatency: 2, firstByteLatency: 1 };

  it('has its usage and its cost recorded from the last part of its stream', async () => {
    world.upstream.handle(
      streams([
        part({ type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 10, output_tokens: 1 } } }),
        part({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello "usage":{' } }),
        part({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
        part({
          type: 'message_stop',
          'amazon-bedrock-invocationMetrics': { ...metrics, cacheReadInputTokenCount: 7, cacheWriteInputTokenCount: 3 },
        }),
      ]),
    );
    const answer = await ask(`/model/${claude}/invoke-with-response-stream`, question);
    await answer.arrayBuffer();
    expect(await usageOf(answer)).toMatchObject({
      ...{ kind: 'reported', model: claude, input: { total: 20, cacheRead: 7 }, output: { total: 5 } },
      cost: { prices: 'genai-prices' },
    });
  });

  it.each([
    ['its body', { usage: { inputTokens: 4, outputTokens: 6, totalTokens: 10, cacheReadInputTokenCount: 1 } }, 5, 6],
    ['headers', { generation: 'Hello.', stop_reason: 'stop' }, 3, 7],
  ])('has its usage recorded from %s of a whole answer', async (_, body, input, output) => {
    const headers = { 'x-amzn-bedrock-input-token-count': '3', 'x-amzn-bedrock-output-token-count': '7' };
    world.upstream.handle((call) => call.json(body, { headers }));
    const answer = await ask('/model/us.amazon.nova-pro-v1:0/invoke', { prompt: 'Hi' });
    await answer.arrayBuffer();
    expect(await usageOf(answer)).toMatchObject({
      kind: 'reported',
      input: { total: input },
      output: { total: output },
    });
  });
});
