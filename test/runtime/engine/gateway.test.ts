import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../plugins/testkit/route/received-body.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({ ok: true }) };
const tapping = (apply: (hooks: Hooks) => void): readonly Plugin[] => [definePlugin({ name: 'test', apply })];

describe('a gateway', () => {
  it('lets a policy refuse a request before its plan is looked up', async () => {
    const closed = {
      status: 403,
      headers: [],
      origin: 'gateway',
      body: { kind: 'bytes', bytes: Buffer.from('{}') },
    } as const;
    const { gateway } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.beforeRoute.tap('policy', () => closed)),
    });
    const plan = () => {
      throw new Error('Nobody may look.');
    };
    expect(await gateway.handle(sampleExchange(question), plan)).toBe(closed);
  });

  it('lets plugins change a request and its answer', async () => {
    const { handle, upstreams } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => {
        hooks.request.tap('a', (exchange) => ({
          ...exchange,
          request: { ...exchange.request, body: { kind: 'bytes', bytes: Buffer.from('changed') } },
        }));
        hooks.response.tap('b', (response) => ({ ...response, status: 202 }));
      }),
    });
    expect((await handle(sampleExchange(question))).status).toBe(202);
    expect(upstreams.requests[0]?.body).toEqual({ kind: 'bytes', bytes: Buffer.from('changed') });
  });

  it('gets the plan of a request from a function, which may be asynchronous', async () => {
    const { gateway, linked } = runConfig(openai, answering);
    expect((await gateway.handle(sampleExchange(question), () => linked)).status).toBe(200);
    expect((await gateway.handle(sampleExchange(question), async () => linked)).status).toBe(200);
  });

  it.each(['chat', 'messages', undefined])('reports errors in the dialect of the request (%s)', async (dialect) => {
    const failures: Error[] = [];
    const { gateway } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.failed.tap('t', (error) => void failures.push(error))),
    });
    const route =
      dialect === undefined ? ({ operation: 'opaque' } as const) : ({ operation: 'converse', dialect } as const);
    const response = await gateway.handle(sampleExchange({}, { route }), () => {
      throw gatewayError('unknown-config', { name: 'x', suggestion: 'Send another.' });
    });
    expect(response).toMatchObject({ status: 404, origin: 'gateway', cause: 'unknown-config' });
    expect(toJson(response)).toMatchObject(
      dialect === 'messages'
        ? { type: 'error', error: { type: 'not_found_error' } }
        : { error: { type: 'not_found_error' } },
    );
    expect(failures).toMatchObject([{ report: { code: 'unknown-config' } }]);
  });

  it('answers 500 without details if it meets a bug', async () => {
    const { gateway } = runConfig(openai, answering);
    const response = await gateway.handle(sampleExchange(question), () => {
      throw new Error('secret stack');
    });
    expect(response).toMatchObject({ status: 500, cause: 'internal-error' });
    expect(JSON.stringify(toJson(response))).not.toContain('secret');
  });

  it('reports a request to observing hooks when its answer ends', async () => {
    const ends: string[] = [];
    const plugins = tapping((hooks) =>
      hooks.completed.tap('t', ({ status }, _exchange, end) => void ends.push(`${status} ${end}`)),
    );
    const { handle } = runConfig(openai, { ...answering, plugins });
    await handle(sampleExchange(question));
    const passed = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    expect(ends).toEqual(['200 complete']);
    await receiveBody(passed.body);
    const { cancellation, cancel } = createCancellation();
    cancel();
    await handle(sampleExchange(question, { cancellation }));
    expect(ends).toEqual(['200 complete', '200 complete', '499 left']);
  });

  it('notifies hooks of attempts, retries, fallbacks and circuits', async () => {
    const kinds: string[] = [];
    const plugins = tapping((hooks) => {
      for (const name of ['attempted', 'retried', 'fellBack', 'circuitChanged'] as const)
        hooks[name].tap('t', (event: { readonly kind: string }) => void kinds.push(event.kind));
    });
    const target = {
      ...openai,
      retry: { attempts: 1 },
      cb_config: { failure_threshold: 1, cooldown_interval: 30_000 },
    };
    const { handle } = runConfig(
      { strategy: { mode: 'fallback' }, targets: [target, openai] },
      { upstream: () => stubAnswer({}, { status: 503 }), plugins },
    );
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(kinds).toEqual(exchange.trail.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(['attempted', 'retried', 'fellBack', 'circuitChanged']));
  });

  it('continues if an observing hook fails, and reports the failure', async () => {
    const failures: string[] = [];
    const boom = () => {
      throw new Error('boom');
    };
    const { handle } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => {
        hooks.attempted.tap('t', boom);
        hooks.completed.tap('t', boom);
        hooks.failed.tap('t', ({ message }) => {
          failures.push(message);
          throw new Error('again');
        });
      }),
    });
    expect((await handle(sampleExchange(question))).status).toBe(200);
    expect(failures).toEqual(['boom', 'boom']);
  });

  it('releases an answer that a plugin failed to change', async () => {
    const body = new StubBody('x');
    const plugins = tapping((hooks) =>
      hooks.response.tap('t', () => {
        throw new Error('boom');
      }),
    );
    const { handle, clock } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: [], body }),
      plugins,
    });
    const response = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    expect(response.status).toBe(500);
    expect(body.discarded).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('closes what plugins hold, and the connections', async () => {
    const closed: string[] = [];
    const { gateway, upstreams } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.close.tap('t', () => void closed.push('plugin'))),
    });
    upstreams.close = async () => void closed.push('upstreams');
    await gateway.close();
    expect(closed).toEqual(['plugin', 'upstreams']);
  });

  it('closes what other plugins hold if one fails, and names the one that did', async () => {
    const closed: string[] = [];
    const { gateway, upstreams } = runConfig(openai, {
      ...answering,
      plugins: [
        ...tapping((hooks) => {
          hooks.close.tap('careless', () => {
            throw new Error('I cannot');
          });
          hooks.close.tapPromise('careless', async () => void closed.push('the rest of it'));
        }),
        ...tapping((hooks) => hooks.close.tap('other', () => void closed.push('other'))),
      ],
    });
    upstreams.close = async () => void closed.push('upstreams');
    await expect(gateway.close()).rejects.toThrow('The plugin "careless" failed while it closed: I cannot.');
    expect(closed.toSorted()).toEqual(['other', 'the rest of it', 'upstreams']);
  });

  it('closes one plugin while another never finishes, each in the order of its taps, and names the other after 10 seconds', async () => {
    const closed: string[] = [];
    const { gateway, clock } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => {
        hooks.close.tapPromise('stalls', () => new Promise(() => {}));
        hooks.close.tapAsync('other', (done) => setImmediate(() => done(void closed.push('first'))));
        hooks.close.tap('other', () => void closed.push('second'));
      }),
    });
    const closing = gateway.close();
    await expect.poll(() => closed).toEqual(['first', 'second']);
    clock.advance(9999);
    clock.advance(1);
    await expect(closing).rejects.toThrow('The plugin "stalls" did not close within 10 seconds.');
    expect(clock.pending).toBe(0);
  });
});
