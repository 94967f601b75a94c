import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../../../plugins/sdk/hooks/hooks.ts';
import type { UpstreamAnswer, UpstreamBody } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Provider } from '../../../../../plugins/sdk/provider/provider.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const lost = { kind: 'failure', error: errorReport('connection-lost', { host: 'h', reason: 'It is.' }) } as const;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const own = (more: Partial<Provider>): Plugin =>
  definePlugin({
    name: 'own',
    providers: [
      defineProvider({
        ...{ id: 'own', documentation: 'here', baseUrl: 'https://own.example', credential: 'none' },
        speaks: { chat: '/chat' },
        headers: () => [],
        ...more,
      }),
    ],
  });
const tapping = (apply: (hooks: Hooks) => void): Plugin => definePlugin({ name: 'test', apply });

/** Runs a provider of a plugin that answers in the gateway's process. */
const runOwn = (send: () => Promise<UpstreamAnswer>) => {
  const failures: unknown[] = [];
  const failed = tapping((hooks) => hooks.failed.tap('t', (error) => void failures.push(error)));
  const plugins = [own({ inProcess: () => ({ send }) }), failed];
  return { ...runConfig({ provider: 'own' }, { upstream: () => lost, plugins }), failures };
};

/** An answer whose body the plugin writes. */
const written = (body: Partial<UpstreamBody>, type = 'application/json'): UpstreamAnswer => ({
  ...{ kind: 'answer', status: 200, headers: ['content-type', type] },
  body: Object.assign(new StubBody('{}'), body),
});

describe("a provider that answers in the gateway's process", () => {
  it('can report why it has no answer', async () => {
    const response = await runOwn(async () => lost).handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 502, cause: 'connection-lost', origin: 'network' });
  });

  it('ends the request with a 500 if it throws, and only the operator learns why', async () => {
    const { handle, failures } = runOwn(() => Promise.reject(new Error('boom')));
    const response = await handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 500, cause: 'internal-error' });
    expect(JSON.stringify(toJson(response))).not.toContain('boom');
    expect(failures).toHaveLength(1);
  });

  it('has a stream that it throws in cut, and its error is reported', async () => {
    const boom = new Error('boom');
    const answer = written(
      {
        start: (sink) => {
          sink.write(Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'));
          throw boom;
        },
      },
      'text/event-stream',
    );
    const { handle, failures } = runOwn(async () => answer);
    const { body } = await handle(sampleExchange({ ...question, stream: true }));
    const text = String((await receiveBody(body)).bytes);
    expect(text).toContain('Hello');
    expect(text).toContain('"code":"stream-cut"');
    expect(failures).toContain(boom);
  });

  it.each([
    ['before it answers', () => new Promise<UpstreamAnswer>(() => {})],
    ['while its body arrives', async () => written({ collect: () => new Promise(() => {}) })],
  ])('is not waited for if the client disconnects %s', async (_, send) => {
    const { cancellation, cancel } = createCancellation();
    const running = runOwn(send);
    const answered = running.gateway.handle(sampleExchange(question, { cancellation }), running.linked);
    await settle();
    cancel();
    expect((await answered).status).toBe(499);
    expect(running.failures).toEqual([]);
  });

  it('may fail after the client has disconnected', async () => {
    const { cancellation, cancel } = createCancellation();
    let fail = (_error: Error): void => {};
    const running = runOwn(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const answered = running.gateway.handle(sampleExchange(question, { cancellation }), running.linked);
    await settle();
    cancel();
    expect((await answered).status).toBe(499);
    fail(new Error('late'));
    await settle();
    expect(running.failures).toEqual([]);
  });
});

describe('an error that quotes the token that a provider signed with', () => {
  it.each([
    ['Bearer token-of-an-hour', 'token-of-an-hour', true],
    ['bearer   token-of-an-hour', 'token-of-an-hour', true],
    ['Other bearer token-of-an-hour', 'token-of-an-hour', false],
    ['token-of-an-hour', 'token-of-an-hour', false],
  ])('is returned without it if the Authorization header is a bearer token: "%s"', async (line, token, isHidden) => {
    const authorize: Provider['authorize'] = async (request) => ({ ...request, headers: ['authorization', line] });
    const upstream = () => stubAnswer({ error: { message: `Wrong:${token}.` } }, { status: 400 });
    const { handle } = runConfig({ provider: 'own' }, { upstream, plugins: [own({ authorize })] });
    const shown = isHidden ? '*'.repeat(token.length) : token;
    expect(toJson(await handle(sampleExchange(question)))).toMatchObject({ error: { message: `Wrong:${shown}.` } });
  });
});

describe('an answer that a plugin replaces', () => {
  const replacing = (given: UpstreamAnswer, by: UpstreamAnswer) =>
    runConfig(
      { provider: 'openai', api_key: '${env:KEY}' },
      { upstream: () => given, plugins: [tapping((hooks) => hooks.providerResponse.tap('t', () => by))] },
    ).handle(sampleExchange(question));

  it('by a failure is discarded', async () => {
    const body = new StubBody('{}');
    const response = await replacing({ kind: 'answer', status: 200, headers: [], body }, lost);
    expect([response.cause, body.discarded]).toEqual(['connection-lost', true]);
  });

  it('by another answer is not, since the other may be made of it', async () => {
    const body = new StubBody('{}');
    const answer = { kind: 'answer', status: 200, headers: ['content-type', 'application/json'], body } as const;
    const response = await replacing(answer, { ...answer, status: 203 });
    expect([response.status, body.discarded]).toEqual([203, false]);
  });

  it('may be a failure', async () => {
    expect(await replacing(lost, stubAnswer({ ok: true }))).toMatchObject({ status: 200 });
  });
});
