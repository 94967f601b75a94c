import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;

const slow = 'The first one.';
const shared = 'The second one.';

/** Returns the next call of an upstream, which is not answered. All later calls are answered with `answer`. */
const held = (upstream: TestUpstream, answer: (call: UpstreamCall) => void): Promise<UpstreamCall> => {
  const { promise, resolve } = Promise.withResolvers<UpstreamCall>();
  let isTaken = false;
  upstream.handle((call) => {
    if (isTaken) return answer(call);
    isTaken = true;
    resolve(call);
  });
  return promise;
};

const down = (call: UpstreamCall): void => call.json(openaiError('It is down.', 'server_error'), { status: 503 });

beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  const at = (upstream: TestUpstream): object => ({
    ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` },
  });
  gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', default_config: 'hedged', trusted_hosts: ['127.0.0.1'] },
      'configs/hedged.json': {
        strategy: { mode: 'fallback', hedge: { after_ms: 50, budget_percent: 100 } },
        targets: [at(first), { ...at(second), cache: { mode: 'simple' } }],
      },
    },
    env: { KEY: 'secret' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const ask = async (content: string): Promise<string | null | undefined> => {
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', maxRetries: 0 });
  const answer = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] });
  return answer.choices[0]?.message.content;
};

/** Starts a call of the second target by a hedge, and three requests that wait for its answer. */
const sharedCall = async (question: string) => {
  const awaited = held(first, down);
  const led = held(second, (call) => call.json(openaiAnswer({ text: 'Another one.' })));
  const leader = ask(question);
  const [slowCall, hedge] = await Promise.all([awaited, led]);
  const followers = [1, 2, 3].map(() => ask(question));
  await expect.poll(() => first.requests.filter(({ body }) => body.toString().includes(question)).length).toBe(4);
  // When this request has been answered by the second target, everything before it has arrived there.
  expect(await ask(`${question} Behind it.`)).toBe('Another one.');
  return { leader, slowCall, hedge, followers };
};

const callsFor = (question: string): number =>
  second.requests.filter(({ body }) => body.toString().includes(`"${question}"`)).length;

describe('a shared call that a hedge began', () => {
  it('continues for the waiting requests if the hedge is cancelled because its first target has answered', async () => {
    const { leader, slowCall, hedge, followers } = await sharedCall('Which is it?');
    slowCall.json(openaiAnswer({ text: slow }));
    expect(await leader).toBe(slow);
    expect(hedge.isGone).toBe(false);
    hedge.json(openaiAnswer({ text: shared }));
    expect(await Promise.all(followers)).toEqual([shared, shared, shared]);
    expect(callsFor('Which is it?')).toBe(1);
  });

  it('is repeated by one of the waiting requests if it breaks after the hedge was cancelled', async () => {
    const { leader, slowCall, hedge, followers } = await sharedCall('Which is it then?');
    slowCall.json(openaiAnswer({ text: slow }));
    expect(await leader).toBe(slow);
    hedge.cut('reset');
    expect(await Promise.all(followers)).toEqual(['Another one.', 'Another one.', 'Another one.']);
  });

  it('ends with the hedge if no other request waits', async () => {
    const awaited = held(first, down);
    const led = held(second, down);
    const leader = ask('Who waits?');
    const [slowCall, hedge] = await Promise.all([awaited, led]);
    slowCall.json(openaiAnswer({ text: slow }));
    expect(await leader).toBe(slow);
    await hedge.gone;
  });
});
