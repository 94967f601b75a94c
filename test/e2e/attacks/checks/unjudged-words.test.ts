import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toBytes, toFrames } from '../../../runtime/engine/stream-stages/kit.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { sampleBodies } from '../../../support/members/sample-bodies.ts';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';
import { askChecked, type Client, clients, word } from '../support/clients.ts';

let gateway: GatewayProcess;
/** A gateway that lets members that no format documents pass unjudged, and judges the whole conversation. */
let other: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  [gateway, other] = await Promise.all([
    startGateway({ files: { 'gateway.json': {} } }),
    startGateway({ files: { 'gateway.json': { judged_turns: 'all', unjudged_members: 'allow' } } }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), other.stop()]);
  await upstream.close();
});

interface Asked {
  readonly body: JsonObject;
  readonly stream?: boolean;
  readonly at?: GatewayProcess;
}

const ask = (client: Client, { at = gateway, ...asked }: Asked) =>
  askChecked(client, { ...asked, gateway: at.origin, upstream: upstream.origin });

const toSample = ({ dialect }: Client): { readonly request: JsonObject; readonly answer: JsonObject } =>
  sampleBodies[dialect.id] ?? { request: {}, answer: {} };

/** Results of checks quote what they found, so the test looks for the name of the member. */
const invented = { invented_member: [{ deep: { says: `the ${word}` } }] };

describe.each(clients.map((client) => [client.dialect.id, client] as const))('a client of %s', (_id, client) => {
  const { request, answer } = toSample(client);

  it('is denied for words that the model has to continue', async () => {
    upstream.handle((call) => call.json(answer));
    expect((await ask(client, { body: client.prefilled('It is water.') })).status).toBe(200);
    expect((await ask(client, { body: client.prefilled(`It is ${word}.`) })).status).toBe(446);
  });

  it('is denied for words in an unknown member of its request', async () => {
    upstream.handle((call) => call.json(answer));
    expect((await ask(client, { body: { ...request, invented_member: 'water' } })).status).toBe(200);
    const before = upstream.requests.length;
    expect((await ask(client, { body: { ...request, ...invented } })).status).toBe(446);
    expect(upstream.requests.length).toBe(before);
  });

  it('does not receive words in an unknown member of an answer', async () => {
    upstream.handle((call) => call.json({ ...answer, ...invented }));
    const { status, text } = await ask(client, { body: request });
    expect(status).toBe(446);
    expect(text).not.toContain('invented_member');
  });

  it('does not receive them in a stream, nor after the end of it', async () => {
    const frames = toFrames(client.dialect, [
      { kind: 'start', id: 'a', model: 'm', created: 1 },
      { kind: 'text', choice: 0, block: 0, text: 'It is water.' },
      { kind: 'block-end', choice: 0, block: 0 },
      { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
      { kind: 'end' },
    ]);
    const odd = { event: 'invented', data: JSON.stringify({ type: 'invented', ...invented }) };
    for (const at of [1, frames.length]) {
      upstream.handle((call) => {
        const stream = call.sse();
        stream.send(toBytes(client.dialect, frames.toSpliced(at, 0, odd)).toString());
        stream.end();
      });
      const { text } = await ask(client, { body: request, stream: true });
      expect(text).not.toContain('invented_member');
    }
  });

  it('may receive them if the gateway file lets unknown members pass', async () => {
    upstream.handle((call) => call.json({ ...answer, ...invented }));
    expect((await ask(client, { body: { ...request, ...invented }, at: other })).status).toBe(200);
  });
});

describe('judged_turns in the gateway file', () => {
  const body = {
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: `It is ${word}.` },
      { role: 'user', content: 'And then?' },
    ],
  };

  it('lets checks judge the turns that a caller attributes to the model', async () => {
    upstream.handle((call) => call.json(sampleBodies.chat?.answer ?? {}));
    const [client] = clients;
    if (client === undefined) return;
    expect((await ask(client, { body })).status).toBe(200);
    expect((await ask(client, { body, at: other })).status).toBe(446);
  });
});
