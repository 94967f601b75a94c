import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse, Scope, UpstreamAnswer } from '../../../../../plugins/sdk/http/http.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { createCountingCancellation } from '../../../../support/in-process/counting-cancellation.ts';
import { type RunningConfig, runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'simple' } };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const asking = (given: Partial<Exchange> = {}, params: JsonObject = question): Exchange =>
  sampleExchange(params, { ...given, trail: [] });

interface OpenCall {
  readonly scope: Scope;
  answer(answer: UpstreamAnswer): void;
}

/** An upstream whose calls wait until the test answers them. */
const waiting = (config: JsonObject = openai): { readonly running: RunningConfig; readonly calls: OpenCall[] } => {
  const calls: OpenCall[] = [];
  const running = runConfig(config, {
    upstream: (_request, scope) => new Promise((answer) => void calls.push({ scope, answer })),
  });
  return { running, calls };
};

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const start = ({ gateway, linked }: RunningConfig, exchange: Exchange): Promise<GatewayResponse> =>
  gateway.handle(exchange, linked);

const outcome = ({ status, leaf }: GatewayResponse): readonly unknown[] => [status, leaf?.cache];
const good = (): UpstreamAnswer => stubAnswer({ id: 'good', choices: [{ message: { content: 'hi' } }] });
const bad = (): UpstreamAnswer => stubAnswer({ error: { message: 'no' } }, { status: 500 });

describe('equal requests at the same time', () => {
  it('make one call and all get its answer', async () => {
    const { running, calls } = waiting();
    const exchanges = Array.from({ length: 100 }, () => asking());
    const answers = exchanges.map((exchange) => start(running, exchange));
    await turns();
    expect(calls).toHaveLength(1);
    calls[0]?.answer(good());
    const [first, ...others] = (await Promise.all(answers)).map(outcome);
    expect(first).toEqual([200, 'MISS']);
    expect(new Set(others.map(String))).toEqual(new Set(['200,HIT']));
    expect(exchanges.map(({ trail }) => trail.map(({ kind }) => kind).join())).toEqual([
      'attempted',
      ...others.map(() => 'cached'),
    ]);
  });

  it('all record the maker of the answer if they are kept', async () => {
    const { running, calls } = waiting();
    const answers = [1, 2].map(() => start(running, asking({ kept: {} })));
    await turns();
    calls[0]?.answer(good());
    const [first, second] = await Promise.all(answers);
    expect([first, second].map((each) => each && outcome(each))).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
    ]);
    expect(first?.leaf?.maker?.scope).toEqual(expect.any(String));
    expect(second?.leaf?.maker).toEqual(first?.leaf?.maker);
  });

  it('share nothing if they differ, are streams, or force a refresh', async () => {
    const { running, calls } = waiting();
    const streamed = { ...question, stream: true };
    const refresh = { overrides: { cacheRefresh: true } };
    const exchanges = [asking(), asking({}, { ...question, n: 1 }), asking({}, streamed), asking({}, streamed)];
    const answers = [...exchanges, asking(refresh), asking(refresh)].map((exchange) => start(running, exchange));
    await turns();
    expect(calls).toHaveLength(6);
    for (const { answer } of calls) answer(good());
    await Promise.all(answers);
  });

  it('wait no longer than their own time-out', async () => {
    const { running, calls } = waiting();
    const first = start(running, asking());
    await turns();
    const second = start(running, asking({ overrides: { timeoutMs: 500 } }));
    await turns();
    running.clock.advance(499);
    await turns();
    expect(calls).toHaveLength(1);
    running.clock.advance(1);
    expect(outcome(await second)).toEqual([408, 'MISS']);
    calls[0]?.answer(good());
    expect(outcome(await first)).toEqual([200, 'MISS']);
  });

  it('make their own calls if others fail: first one of them, then all that have waited twice', async () => {
    const { running, calls } = waiting();
    const answers = Array.from({ length: 5 }, () => start(running, asking()));
    await turns();
    expect(calls).toHaveLength(1);
    calls[0]?.answer(bad());
    await turns();
    expect(calls).toHaveLength(2);
    calls[1]?.answer(bad());
    await turns();
    expect(calls).toHaveLength(5);
    for (const { answer } of calls) answer(good());
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([500, 500, 200, 200, 200]);
  });

  it('get the answer of the second call if the first fails', async () => {
    const { running, calls } = waiting();
    const answers = Array.from({ length: 5 }, () => start(running, asking()));
    await turns();
    calls[0]?.answer(bad());
    await turns();
    calls[1]?.answer(good());
    const statuses = (await Promise.all(answers)).map(outcome).map(String);
    expect(statuses).toEqual(['500,MISS', '200,MISS', '200,HIT', '200,HIT', '200,HIT']);
    expect(calls).toHaveLength(2);
  });
});

describe('the deadline of one of equal requests', () => {
  const hurried = (): Exchange => asking({ overrides: { deadlineMs: 300 } });

  it('ends only its own wait, whether it came first or later', async () => {
    for (const isFirst of [true, false]) {
      const { running, calls } = waiting();
      const exchanges = isFirst ? [hurried(), asking()] : [asking(), hurried()];
      const answers = exchanges.map((exchange) => start(running, exchange));
      await turns();
      running.clock.advance(300);
      const [late, patient] = isFirst ? answers : answers.toReversed();
      expect(await late).toMatchObject({ status: 408, cause: 'deadline-exceeded', origin: 'timeout' });
      expect(calls[0]?.scope.cancellation.cancelled).toBe(false);
      calls[0]?.answer(good());
      expect((await patient)?.status).toBe(200);
      expect(calls).toHaveLength(1);
      expect(running.clock.pending).toBe(0);
    }
  });

  it('ends the call once nobody waits for it any more', async () => {
    const { running, calls } = waiting();
    const exchanges = [hurried(), hurried()];
    const answers = exchanges.map((exchange) => start(running, exchange));
    await turns();
    running.clock.advance(300);
    expect(calls[0]?.scope.cancellation.cancelled).toBe(true);
    calls[0]?.answer(good());
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([408, 408]);
    expect(exchanges[0]?.trail).toMatchObject([
      { kind: 'attempted', status: 408, origin: 'timeout' },
      { kind: 'deadlinePassed', ms: 300 },
    ]);
    expect(running.clock.pending).toBe(0);
  });
});

describe('the first of equal requests', () => {
  it('can disconnect, and its call continues for the others and is stored', async () => {
    const { running, calls } = waiting();
    const { cancellation, cancel } = createCancellation();
    const first = start(running, asking({ cancellation }));
    const second = start(running, asking());
    await turns();
    cancel();
    await turns();
    expect(calls[0]?.scope.cancellation.cancelled).toBe(false);
    calls[0]?.answer(good());
    expect(outcome(await second)).toEqual([200, 'HIT']);
    await first;
    expect(outcome(await start(running, asking()))).toEqual([200, 'HIT']);
    expect(calls).toHaveLength(1);
  });

  it('ends its call by disconnecting if nobody else waits, or once the others disconnect too', async () => {
    for (const others of [0, 2]) {
      const { running, calls } = waiting();
      const clients = Array.from({ length: others + 1 }, createCancellation);
      const answers = clients.map(({ cancellation }) => start(running, asking({ cancellation })));
      await turns();
      for (const { cancel } of clients) {
        expect(calls[0]?.scope.cancellation.cancelled).toBe(false);
        cancel();
      }
      expect(calls[0]?.scope.cancellation.cancelled).toBe(true);
      // A request that arrives now does not join a call that is ending.
      const late = start(running, asking());
      await turns();
      expect(calls).toHaveLength(2);
      calls[1]?.answer(good());
      expect(outcome(await late)).toEqual([200, 'MISS']);
      calls[0]?.answer(bad());
      await Promise.all(answers);
    }
  });

  it('ends a stream that nobody requested when it disconnects', async () => {
    const { running, calls } = waiting();
    const { cancellation, cancel } = createCancellation();
    const first = start(running, asking({ cancellation }));
    await turns();
    calls[0]?.answer(
      stubAnswer('data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n', {
        headers: ['content-type', 'text/event-stream'],
      }),
    );
    const { body } = await first;
    expect(body.kind).toBe('stream');
    expect(calls[0]?.scope.cancellation.cancelled).toBe(false);
    cancel();
    expect(calls[0]?.scope.cancellation.cancelled).toBe(true);
  });
});

describe('a request that was answered', () => {
  it('keeps no listener on its client, whether it led or waited', async () => {
    const { running, calls } = waiting();
    const clients = [createCountingCancellation(), createCountingCancellation()];
    const answers = clients.map(({ cancellation }) => start(running, asking({ cancellation })));
    await turns();
    calls[0]?.answer(good());
    await Promise.all(answers);
    expect(clients.map(({ listening }) => listening)).toEqual([0, 0]);
    expect(running.clock.pending).toBe(0);
  });
});
