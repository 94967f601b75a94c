import { describe, expect, it } from 'vitest';
import { defineGuardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../plugins/testkit/route/cancellation.ts';
import { runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { hanging, stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answer = { id: 'a', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }] };
const asking = (given: Parameters<typeof sampleExchange>[1] = {}) => sampleExchange(question, { ...given, trail: [] });

/** A check that never answers and ignores its cancellation. */
const deaf: Plugin = definePlugin({
  name: 'deaf',
  guardrails: [
    defineGuardrail({
      id: 'deaf.waits',
      parameters: { type: 'object' },
      create: () => () => new Promise(() => {}),
    }),
    defineGuardrail({ id: 'deaf.passes', parameters: { type: 'object' }, create: () => () => pass() }),
  ],
});

describe('a deadline', () => {
  it('counts from when the request was received', async () => {
    const { handle, clock, upstreams } = runConfig({ ...openai, deadline_ms: 1000 }, { upstream: hanging });
    clock.advance(700);
    const response = await handle(asking({ startedAt: 0 }));
    expect(clock.monotonic()).toBe(1000);
    expect(response).toMatchObject({ status: 408, cause: 'deadline-exceeded', leaf: { path: '', retries: 0 } });
    expect(upstreams.requests).toHaveLength(1);
  });

  it('sends nothing if it passed while the body arrived', async () => {
    const { handle, clock, upstreams } = runConfig({ ...openai, deadline_ms: 1000 }, { upstream: hanging });
    clock.advance(1000);
    const exchange = asking({ startedAt: 0 });
    expect(await handle(exchange)).toMatchObject({ status: 408, cause: 'deadline-exceeded' });
    expect(upstreams.requests).toEqual([]);
    expect(exchange.trail).toEqual([{ kind: 'deadlinePassed', ms: 1000 }]);
    expect(clock.pending).toBe(0);
  });

  it('instructs the libraries of vendors not to send the request again', async () => {
    const { handle } = runConfig({ ...openai, deadline_ms: 1000 }, { upstream: hanging });
    const { headers } = await handle(asking());
    expect(headers.join(': ')).toContain('x-should-retry: false');
  });

  it('has no effect once the request was answered', async () => {
    const { handle, clock } = runConfig({ ...openai, deadline_ms: 1000 }, { upstream: () => stubAnswer(answer) });
    const exchange = asking();
    expect((await handle(exchange)).status).toBe(200);
    expect(clock.pending).toBe(0);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted']);
  });

  it('is not recorded if the client disconnected before it', async () => {
    const { cancellation, cancel } = createCancellation();
    const { gateway, linked, clock } = runConfig({ ...openai, deadline_ms: 1000 }, { upstream: hanging });
    const exchange = asking({ cancellation });
    const response = gateway.handle(exchange, linked);
    clock.after(500, cancel);
    expect((await clock.settle(response)).status).toBe(499);
    expect(clock.monotonic()).toBe(500);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'clientLeft']);
    expect(clock.pending).toBe(0);
  });

  it.each(['input_guardrails', 'output_guardrails'])(
    'does not wait for a check of the %s, and returns no answer that was not judged',
    async (phase) => {
      const config = { ...openai, deadline_ms: 1000, [phase]: [{ 'deaf.waits': { timeout: 60_000 }, deny: true }] };
      const { handle, clock, upstreams } = runConfig(config, { plugins: [deaf], upstream: () => stubAnswer(answer) });
      const response = await handle(asking());
      expect(clock.monotonic()).toBe(1000);
      expect(response).toMatchObject({ status: 408, cause: 'deadline-exceeded', origin: 'timeout' });
      expect(JSON.stringify(toJson(response))).not.toContain('assistant');
      expect(upstreams.requests).toHaveLength(phase === 'input_guardrails' ? 0 : 1);
      expect(clock.pending).toBe(0);
    },
  );

  it('returns an expired cached answer in place of its failure if the gateway permits that', async () => {
    let hangs = false;
    const { handle, clock } = runConfig(
      { ...openai, deadline_ms: 1000, cache: { mode: 'simple', max_age: 60 } },
      {
        cache: { staleIfErrorS: 3600 },
        upstream: (request, scope) => (hangs ? hanging(request, scope) : stubAnswer(answer)),
      },
    );
    await handle(asking());
    clock.advance(61_000);
    hangs = true;
    const exchange = asking();
    expect(await handle(exchange)).toMatchObject({ status: 200, origin: 'cache' });
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'cached', 'deadlinePassed']);
  });
});
