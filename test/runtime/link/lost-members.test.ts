import { describe, expect, it } from 'vitest';
import { type GatewayResponse, headerValue } from '../../../plugins/sdk/http.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { jsonOf, runConfig } from '../../support/run-config.ts';
import { sampleExchange } from '../../support/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../support/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../support/tongue.ts';

const plugins = [tongueWith({ tongue: '/say' })];
const answering: StubHandler = () => stubAnswer({ say: 'yes' });
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const dropped = ({ headers }: GatewayResponse): string | undefined => headerValue(headers, 'x-gw-dropped-params');

const ask = (params: JsonObject, upstream = answering, config: JsonObject = {}) =>
  runConfig({ provider: 'own', ...config }, { upstream, plugins }).handle(sampleExchange({ ...question, ...params }));

describe('what a translation loses', () => {
  it('is told with the answer', async () => {
    expect(dropped(await ask({ seed: 1 }))).toBe('sampling.seed');
    expect(dropped(await ask({}))).toBeUndefined();
  });

  it('is told with a stream, an error and the answer after a retry', async () => {
    const text = 'event: say\ndata: {"say":"one"}\n\nevent: done\ndata: {}\n\n';
    const streaming: StubHandler = () => stubAnswer(text, { headers: ['content-type', 'text/event-stream'] });
    const streamed = await ask({ seed: 1, stream: true }, streaming);
    expect([streamed.body.kind, dropped(streamed)]).toEqual(['stream', 'sampling.seed']);
    expect(dropped(await ask({ seed: 1 }, () => stubAnswer({}, { status: 404 })))).toBe('sampling.seed');
    let calls = 0;
    const second: StubHandler = () => {
      calls += 1;
      return stubAnswer({ say: 'yes' }, { status: calls === 1 ? 500 : 200 });
    };
    const retried = await ask({ seed: 1 }, second, { retry: { attempts: 1 } });
    expect([retried.status, dropped(retried)]).toEqual([200, 'sampling.seed']);
  });

  it('is none of the same dialect', async () => {
    const { handle } = runConfig({ provider: 'own' }, { upstream: answering, plugins });
    expect(dropped(await handle(sampleExchange({ seed: 1 }, { route: tongueRoute })))).toBeUndefined();
  });

  it('is not the usage of a stream that nobody asked for', async () => {
    const claude = { provider: 'anthropic', api_key: '${env:KEY}' };
    const { handle } = runConfig(claude, { upstream: () => stubAnswer({}, { status: 500 }), onLoss: 'refuse' });
    expect(await handle(sampleExchange({ ...question, stream: true }))).toMatchObject({ status: 500 });
    const whole = await handle(sampleExchange({ ...question, seed: 1 }));
    expect(whole).toMatchObject({ status: 400, cause: 'loss-refused' });
  });

  it('is refused where the gateway is set to, with its names, and another target may serve', async () => {
    const { handle, upstreams } = runConfig({ provider: 'own' }, { upstream: answering, plugins, onLoss: 'refuse' });
    const response = await handle(sampleExchange({ ...question, seed: 1 }));
    expect(response).toMatchObject({ status: 400, origin: 'gateway', cause: 'loss-refused' });
    expect(JSON.stringify(jsonOf(response))).toContain('What would be lost: sampling.seed.');
    expect(upstreams.requests).toEqual([]);
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 200 });

    const fallback = { strategy: { mode: 'fallback' }, targets: [{ provider: 'own' }, { provider: 'echo' }] };
    const both = runConfig(fallback, { upstream: answering, plugins, onLoss: 'refuse' });
    const second = await both.handle(sampleExchange({ ...question, seed: 1 }));
    expect(second).toMatchObject({ status: 200, leaf: { provider: 'echo' } });
    expect(dropped(second)).toBeUndefined();
  });
});
