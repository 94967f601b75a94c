import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatewayError } from '../../../schema/errors/errors.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { type IdentifiedGateway, startIdentifiedGateway } from '../../support/gateways/identified-gateway.ts';
import {
  type CountedRequest,
  type CountingLimiter,
  createCountingLimiter,
} from '../../support/in-process/counting-limiter.ts';
import { holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { patience } from '../../support/run/patience.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const reply = { text: 'It is sunny in Graz.' };
const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'How is it in Graz?' }] };
const vendor: UpstreamHandler = (call) => call.json(openaiAnswer(reply));
const params = { policy: 'small', limit: '1 request a minute', suggestion: 'Send it again in 7 s.' };

let upstream: TestUpstream;
let gateway: IdentifiedGateway;
let limiter: CountingLimiter;
/** The target whose limit is reached. */
let limited: string | undefined;

beforeAll(async () => {
  upstream = await startUpstream(vendor);
  limiter = createCountingLimiter({
    attempt: ({ target }) => {
      if (target !== limited) return;
      const headers = ['retry-after', '7', 'x-ratelimit-limit-requests', '1', 'x-ratelimit-remaining-requests', '0'];
      throw gatewayError('rate-limited', params, { headers });
    },
  });
  const target = (name: string, parts: object = {}) => ({
    name,
    provider: 'openai',
    api_key: '${env:KEY}',
    custom_host: `${upstream.origin}/v1`,
    ...parts,
  });
  const away = target('away', { custom_host: `http://127.0.0.1:${await freePort()}/v1` });
  const configs = {
    plain: target('plain'),
    hasty: target('hasty', { request_timeout: 100 }),
    cached: target('cached', { cache: { mode: 'simple' } }),
    both: { strategy: { mode: 'fallback' }, targets: [target('first'), target('second')] },
    away: { strategy: { mode: 'fallback' }, targets: [away, target('second')] },
  };
  const identities = [scriptedIdentities({ key: holder() })];
  gateway = await startIdentifiedGateway(identities, configs, { limiter });
});
beforeEach(() => {
  limited = undefined;
  upstream.handle(vendor);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream.close();
});

let traces = 0;

interface Sent {
  readonly answer: Promise<Response>;
  readonly leave: () => void;
  /** Returns what the limiter was notified of, once the request has ended. */
  readonly counted: () => Promise<CountedRequest>;
  readonly trail: () => readonly TrailEvent[];
}

const send = (
  config: string,
  body: object = {},
  { path = '/v1/chat/completions' }: { readonly path?: string } = {},
): Sent => {
  traces += 1;
  const trace = `limits-${traces}`;
  const controller = new AbortController();
  const answer = fetch(gateway.origin + path, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': 'key',
      'x-gw-config': config,
      'x-gw-trace-id': trace,
    },
    body: JSON.stringify({ ...question, ...body }),
  });
  answer.catch(() => undefined);
  const found = () => limiter.requests.find((request) => request.trace === trace);
  return {
    answer,
    leave: () => controller.abort(),
    counted: () =>
      vi.waitFor(() => {
        const request = found();
        if (request === undefined || request.ended === 0) throw new Error('The request has not ended.');
        return request;
      }, patience),
    trail: () => {
      const line = gateway.lines.find((each) => each.trace === trace);
      return Array.isArray(line?.trail) ? (line.trail as unknown as readonly TrailEvent[]) : [];
    },
  };
};

/** The expected record of a request with attempts that ended as given. */
const counting = (plan: string, ...ends: readonly (readonly object[])[]): object => ({
  plan,
  attempts: ends.map((each) => ({ ends: each })),
  ended: 1,
  openAtEnd: 0,
});

const settled = (usage: object): readonly object[] => [{ kind: 'settled', usage }];

describe('a limiter', () => {
  it('learns the usage of whole answers and streams, and the trail records when they began and ended', async () => {
    const whole = send('plain');
    expect((await whole.answer).status).toBe(200);
    const reported = { kind: 'reported', input: { total: 21 }, output: { total: 9 } };
    expect(await whole.counted()).toMatchObject(counting('plain', settled(reported)));
    await vi.waitFor(() => expect(whole.trail().map(({ kind }) => kind)).toEqual(['attempted', 'settled']), patience);
    const [attempted, last] = whole.trail();
    if (attempted?.kind !== 'attempted' || last?.kind !== 'settled') return expect.unreachable();
    const { sent = -1, head = -1 } = attempted.ms ?? {};
    expect([sent >= 0, head >= sent, (last.ms?.end ?? -1) >= head]).toEqual([true, true, true]);
    upstream.handle((call) => {
      const stream = call.sse();
      for (const frame of openaiStream(reply, { withUsage: true })) stream.send(frame);
      stream.end();
    });
    const streamed = send('plain', { stream: true });
    expect(await (await streamed.answer).text()).toContain('[DONE]');
    expect(await streamed.counted()).toMatchObject(counting('plain', settled(reported)));
  });

  it('gets an estimate for a stream that breaks off, and for one whose client disconnects', async () => {
    let hold = true;
    upstream.handle(async (call) => {
      const stream = call.sse();
      for (const frame of openaiStream(reply).slice(0, 3)) stream.send(frame);
      if (hold) await call.gone;
      else stream.cut();
    });
    const left = send('plain', { stream: true });
    await (await left.answer).body?.getReader().read();
    left.leave();
    const estimated = { kind: 'estimated', output: { total: 2 } };
    expect(await left.counted()).toMatchObject(counting('plain', settled(estimated)));
    hold = false;
    const broken = send('plain', { stream: true });
    await (await broken.answer).text();
    expect(await broken.counted()).toMatchObject(counting('plain', settled(estimated)));
  });

  it('counts the input of a request that was sent but never answered', async () => {
    const lost = settled({ kind: 'estimated', input: { total: 9 }, output: { total: 0 } });
    upstream.handle((call) => call.gone);
    const timed = send('hasty');
    expect((await timed.answer).status).toBe(408);
    expect(await timed.counted()).toMatchObject(counting('hasty', lost));
    const before = upstream.requests.length;
    const left = send('plain');
    await vi.waitFor(() => expect(upstream.requests.length).toBe(before + 1), patience);
    left.leave();
    expect(await left.counted()).toMatchObject(counting('plain', lost));
    upstream.handle((call) => call.cut('reset'));
    const reset = send('plain');
    expect((await reset.answer).status).toBe(502);
    expect(await reset.counted()).toMatchObject(counting('plain', lost));
  });

  it('releases an attempt that was never sent, and counts no usage for an error response', async () => {
    const away = send('away');
    expect((await away.answer).status).toBe(200);
    expect(await away.counted()).toMatchObject(counting('away', [{ kind: 'released' }], settled({ kind: 'reported' })));
    upstream.handle((call) => call.json({ error: { message: 'no' } }, { status: 400 }));
    const refused = send('plain');
    expect((await refused.answer).status).toBe(400);
    expect(await refused.counted()).toMatchObject(counting('plain', settled({ kind: 'none', input: { total: 0 } })));
  });

  it('sees no attempt if the answer comes from a cache', async () => {
    const body = { seed: 1 };
    await (await send('cached', body).answer).text();
    const hit = send('cached', body);
    expect((await hit.answer).headers.get('x-gw-cache-status')).toBe('HIT');
    expect(await hit.counted()).toMatchObject(counting('cached'));
  });

  it('counts the usage of a call that other requests wait for, even if its client has disconnected', async () => {
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    upstream.handle(async (call) => {
      await waiting;
      call.json(openaiAnswer(reply));
    });
    const before = upstream.requests.length;
    const body = { seed: 2 };
    const first = send('cached', body);
    await vi.waitFor(() => expect(upstream.requests.length).toBe(before + 1), patience);
    const second = send('cached', body);
    await vi.waitFor(() => expect(limiter.requests.length).toBe(traces), patience);
    first.leave();
    goOn();
    expect((await second.answer).status).toBe(200);
    expect(await first.counted()).toMatchObject(counting('cached', settled({ kind: 'reported' })));
    expect(await second.counted()).toMatchObject(counting('cached'));
    expect(upstream.requests.length).toBe(before + 1);
  });

  it('lets a fallback continue if the limit of a target is reached, and otherwise sets the headers of the refusal', async () => {
    limited = 'first';
    const before = upstream.requests.length;
    const cured = send('both');
    expect((await cured.answer).status).toBe(200);
    expect(await cured.counted()).toMatchObject(counting('both', settled({ kind: 'reported' })));
    limited = 'plain';
    const refused = send('plain');
    const answer = await refused.answer;
    expect(answer.status).toBe(429);
    expect([answer.headers.get('retry-after'), answer.headers.get('x-ratelimit-limit-requests')]).toEqual(['7', '1']);
    expect(await answer.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate-limited' } });
    expect(await refused.counted()).toMatchObject(counting('plain'));
    expect(upstream.requests.length).toBe(before + 1);
  });

  it('sees the model of a request that is passed through', async () => {
    upstream.handle((call) => call.json({ data: [], usage: { input_tokens: 3, output_tokens: 4 } }));
    const sent = send('plain', { model: 'gpt-image-1' }, { path: '/v1/images/generations' });
    expect((await sent.answer).status).toBe(200);
    const request = await sent.counted();
    expect(request).toMatchObject(counting('plain', settled({ kind: 'reported', output: { total: 4 } })));
    expect(request.attempts[0]?.attempt.model).toBe('gpt-image-1');
  });
});
