import { describe, expect, it } from 'vitest';
import { awsEventStream } from '../../../plugins/sdk/framings/aws-eventstream.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { eventMessage } from '../../matrix/upstreams/converse/event-message.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

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
