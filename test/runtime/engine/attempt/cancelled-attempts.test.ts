import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { headerValue, type UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { CancellationSource } from '../../../../runtime/async/cancellation-source.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { AttemptScope } from '../../../../runtime/engine/call/attempt-scope.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({ ok: true }) };
const tapping = (apply: (hooks: Hooks) => void): Plugin => definePlugin({ name: 'test', apply });
const own = (more: Partial<Provider>): Plugin =>
  definePlugin({
    name: 'own',
    providers: [
      defineProvider({
        id: 'own',
        documentation: 'here',
        baseUrl: 'https://own.example',
        credential: 'none',
        speaks: { chat: '/chat' },
        headers: () => [],
        ...more,
      }),
    ],
  });

describe('an attempt that is cancelled', () => {
  it('releases an answer that still arrives, and reports the time-out', async () => {
    const body = new StubBody('{}');
    const { handle } = runConfig(
      { ...openai, request_timeout: 70 },
      {
        upstream: async (request, scope) => {
          await hanging(request, scope);
          return { kind: 'answer', status: 200, headers: [], body };
        },
      },
    );
    const response = await handle(sampleExchange(question));
    expect(JSON.stringify(toJson(response))).toContain('did not answer within 70 ms');
    expect(body.discarded).toBe(true);
  });

  it('before it began sends nothing', async () => {
    const { cancellation, cancel } = createCancellation();
    cancel();
    const { handle, upstreams, clock } = runConfig(openai, answering);
    const response = await handle(sampleExchange(question, { cancellation }));
    expect(response).toMatchObject({ status: 499, leaf: { path: '', provider: 'openai' } });
    expect(upstreams.requests).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('by its time-out remains timed out if the client disconnects afterwards', () => {
    const { cancellation, cancel } = createCancellation();
    const clock = createVirtualClock();
    const scope = new AttemptScope(cancellation, { deadlines: new Deadlines(clock), timeoutMs: 100, attempt: 1 });
    clock.advance(100);
    cancel();
    expect(scope.reason).toBe('timeout');
  });

  it.each([
    ['by a deadline, has timed out', 'timeout', errorReport('deadline-exceeded', { ms: 100 })],
    ['because its client disconnected, has not', 'left', undefined],
  ] as const)('at the moment of its time-out, %s', (_how, reason, cause) => {
    const request = new CancellationSource();
    const clock = createVirtualClock();
    clock.after(100, () => request.cancel(cause));
    const scope = new AttemptScope(request, { deadlines: new Deadlines(clock), timeoutMs: 100, attempt: 1 });
    clock.advance(100);
    expect(scope.reason).toBe(reason);
  });

  it('by a deadline after its time-out was lifted has not timed out', () => {
    const request = new CancellationSource();
    const clock = createVirtualClock();
    const scope = new AttemptScope(request, { deadlines: new Deadlines(clock), timeoutMs: 100, attempt: 1 });
    scope.disarm();
    clock.advance(200);
    request.cancel(errorReport('deadline-exceeded', { ms: 200 }));
    expect(scope.reason).toBe('left');
  });

  it('while it is being signed is a lost connection to plugins that see answers', async () => {
    const seen: UpstreamAnswer[] = [];
    const plugins = [
      own({ authorize: () => new Promise(() => {}) }),
      tapping((hooks) =>
        hooks.providerResponse.tap('t', (answer) => {
          seen.push(answer);
          return answer;
        }),
      ),
    ];
    const { handle } = runConfig({ provider: 'own', request_timeout: 30 }, { ...answering, plugins });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408, origin: 'timeout' });
    const error = errorReport('connection-lost', { host: 'own.example', reason: 'the request was cancelled.' });
    expect(seen).toEqual([{ kind: 'failure', error }]);
  });

  it('while a plugin changes its request is not signed', async () => {
    let signed = 0;
    const plugins = [
      own({
        authorize: async (request) => {
          signed += 1;
          return request;
        },
      }),
      tapping((hooks) => hooks.providerRequest.tapPromise('t', () => new Promise(() => {}))),
    ];
    const { handle, upstreams } = runConfig({ provider: 'own', request_timeout: 30 }, { ...answering, plugins });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408 });
    expect([signed, upstreams.requests.length]).toEqual([0, 0]);
  });
});

describe('an attempt that plugins take part in', () => {
  it('can have its request changed if its provider signs nothing', async () => {
    const plugin = tapping((hooks) =>
      hooks.providerRequest.tap('t', (request) => ({ ...request, headers: ['tapped', 'yes'] })),
    );
    const { handle, upstreams } = runConfig(openai, { ...answering, plugins: [plugin] });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 200 });
    expect(headerValue(upstreams.requests[0]?.headers ?? [], 'tapped')).toBe('yes');
  });

  it('is answered by an in-process provider like by any other', async () => {
    const { handle } = runConfig(
      { provider: 'own' },
      { ...answering, plugins: [own({ inProcess: () => ({ send: async () => stubAnswer({ within: true }) }) })] },
    );
    const response = await handle(sampleExchange(question));
    expect(response.status).toBe(200);
    expect(toJson(response)).toEqual({ within: true });
  });

  it('reports the provider and the reason to the client if signing fails', async () => {
    const plugins = [own({ authorize: () => Promise.reject(new Error('no clock')) })];
    const { handle } = runConfig({ provider: 'own' }, { ...answering, plugins });
    const text = JSON.stringify(toJson(await handle(sampleExchange(question))));
    expect(text).toContain('The request to own could not be authorised: no clock.');
  });
});

describe('a failure outside the network', () => {
  it("is the gateway's own answer", async () => {
    const error = errorReport('host-not-allowed', { host: 'h', reason: 'it is private.', suggestion: 'Ask.' });
    const { handle } = runConfig(openai, { upstream: () => ({ kind: 'failure', error }) });
    expect(await handle(sampleExchange(question))).toMatchObject({ origin: 'gateway', cause: 'host-not-allowed' });
  });
});
