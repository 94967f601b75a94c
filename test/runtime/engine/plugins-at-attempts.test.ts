import { describe, expect, it } from 'vitest';
import type { Hooks, Step } from '../../../plugins/sdk/hooks/hooks.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';
import { receiveBody } from '../../../plugins/testkit/route/received-body.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({ ok: true }) };
const boom = (): never => {
  throw new Error('boom');
};
const tapping = (apply: (hooks: Hooks) => void): readonly Plugin[] => [definePlugin({ name: 'test', apply })];

describe('an attempt that plugins take part in', () => {
  const signed = (authorize: (request: UpstreamRequest) => Promise<UpstreamRequest>): readonly Plugin[] => [
    definePlugin({
      name: 'signed',
      providers: [
        defineProvider({
          id: 'signed',
          documentation: 'here',
          baseUrl: 'https://signed.example',
          credential: 'none',
          speaks: { chat: '/chat' },
          headers: () => [],
          authorize,
        }),
      ],
    }),
  ];

  it('is signed last, on each attempt', async () => {
    let count = 0;
    const authorize = async (request: UpstreamRequest) => {
      count += 1;
      return {
        ...request,
        headers: [...request.headers, 'signature', `${count}:${headerValue(request.headers, 'tapped')}`],
      };
    };
    const plugins = [
      ...signed(authorize),
      ...tapping((hooks) =>
        hooks.providerRequest.tap('t', (request) => ({ ...request, headers: [...request.headers, 'tapped', 'yes'] })),
      ),
    ];
    const { handle, upstreams } = runConfig(
      { provider: 'signed', retry: { attempts: 1 } },
      { upstream: () => stubAnswer({}, { status: 500 }), plugins },
    );
    await handle(sampleExchange(question));
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'signature'))).toEqual(['1:yes', '2:yes']);
  });

  it('times out and sends nothing if signing takes too long', async () => {
    const { handle, clock, upstreams } = runConfig(
      { provider: 'signed', request_timeout: 30 },
      { ...answering, plugins: signed(() => new Promise(() => {})) },
    );
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408, origin: 'timeout' });
    expect(clock.monotonic()).toBe(30);
    expect(upstreams.requests).toEqual([]);
  });

  it('is answered by its target, which is named, if signing fails', async () => {
    const { handle, clock } = runConfig(
      { provider: 'signed' },
      { ...answering, plugins: signed(() => Promise.reject(new Error('no clock'))) },
    );
    const response = await handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 401, cause: 'authorization-failed', leaf: { provider: 'signed' } });
    expect(clock.pending).toBe(0);
  });

  it('can have its answer changed, and discards the answer if that takes too long', async () => {
    const changing = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) =>
        hooks.providerResponse.tap('t', (answer) => (answer.kind === 'answer' ? { ...answer, status: 203 } : answer)),
      ),
    });
    expect((await changing.handle(sampleExchange(question))).status).toBe(203);
    const body = new StubBody('{}');
    const slow = runConfig(
      { ...openai, request_timeout: 9 },
      {
        upstream: () => ({ kind: 'answer', status: 200, headers: [], body }),
        plugins: tapping((hooks) => hooks.providerResponse.tapPromise('t', () => new Promise(() => {}))),
      },
    );
    expect(await slow.handle(sampleExchange(question))).toMatchObject({ status: 408 });
    expect(body.discarded).toBe(true);
  });

  it('can have stages added to its stream', async () => {
    const event = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"quiet"},"finish_reason":"stop"}]}\n\n';
    const { handle } = runConfig(openai, {
      upstream: () => stubAnswer(`${event}data: [DONE]\n\n`, { headers: ['content-type', 'text/event-stream'] }),
      plugins: tapping((hooks) =>
        hooks.stream.tap('t', (stages) => {
          stages.push({
            reads: ['text'],
            holds: 'none',
            create: () => ({
              push: (event) =>
                event.kind === 'text'
                  ? { do: 'replace', events: [{ ...event, text: event.text.replace('quiet', 'LOUD') }] }
                  : { do: 'release' },
              end: () => ({ do: 'release' }),
            }),
          });
        }),
      ),
    });
    const response = await handle(sampleExchange({ ...question, stream: true }));
    expect((await receiveBody(response.body)).bytes.toString()).toContain('LOUD');
  });

  describe.each<readonly [string, () => unknown, string]>([
    ['throws', () => boom(), 'boom'],
    ['rejects', () => Promise.reject(new Error('boom')), 'boom'],
    ['returns nothing', () => undefined, 'returned something other than a step'],
    ['holds events, but declared that it does not', () => ({ do: 'hold' }), 'holds events'],
  ])('a stage of a plugin that %s', (_, fail, reason) => {
    /** Streams two texts. The stage fails at the text that is given, or at the end. */
    const run = (failing: string) => {
      const failures: unknown[] = [];
      const frame = (text: string, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: text }, finish_reason: finish }] })}\n\n`;
      const text = `${frame('one', null)}${frame('two', 'stop')}data: [DONE]\n\n`;
      const { handle } = runConfig(openai, {
        upstream: () => stubAnswer(text, { headers: ['content-type', 'text/event-stream'] }),
        plugins: tapping((hooks) => {
          hooks.failed.tap('t', ({ cause }) => void failures.push(cause));
          hooks.stream.tap('t', (stages) => {
            stages.push({
              reads: ['text'],
              holds: 'none',
              create: () => ({
                push: (event) =>
                  event.kind === 'text' && event.text === failing ? (fail() as Step) : { do: 'release' },
                end: () => (failing === 'end' ? (fail() as Step) : { do: 'release' }),
              }),
            });
          });
        }),
      });
      return { failures, answer: handle(sampleExchange({ ...question, stream: true })) };
    };

    it('before the answer begins ends the request as an internal error, whose reason only the operator learns', async () => {
      const { answer, failures } = run('one');
      const response = await answer;
      expect(response).toMatchObject({ status: 500, origin: 'gateway', cause: 'internal-error' });
      expect(String((await receiveBody(response.body)).bytes)).not.toContain(reason);
      expect(failures.map(String)).toEqual([expect.stringContaining(reason)]);
    });

    it.each(['two', 'end'])('at "%s" ends the stream with an internal error', async (failing) => {
      const { answer, failures } = run(failing);
      const text = String((await receiveBody((await answer).body)).bytes);
      expect(text).toContain('"content":"one"');
      expect(text).toContain('"code":"internal-error"');
      expect(text).not.toContain(reason);
      expect(failures).toHaveLength(1);
    });
  });

  it('discards its answer if a plugin fails at it', async () => {
    const bodies: StubBody[] = [];
    const upstream = () => {
      const body = new StubBody('');
      bodies.push(body);
      return { kind: 'answer', status: 200, headers: ['content-type', 'text/event-stream'], body } as const;
    };
    const answers = tapping((hooks) => hooks.providerResponse.tap('t', boom));
    const stages = tapping((hooks) =>
      hooks.stream.tap('t', (list) => void list.push({ reads: [], holds: 'none', create: boom })),
    );
    for (const plugins of [answers, stages]) {
      const { handle, clock } = runConfig(openai, { upstream, plugins });
      expect((await handle(sampleExchange(question))).status).toBe(500);
      expect(clock.pending).toBe(0);
    }
    expect(bodies.map(({ discarded }) => discarded)).toEqual([true, true]);
  });

  it('times out if an in-process provider hangs, and a late answer is discarded', async () => {
    const late = new StubBody('late');
    let answerLate = (): void => {};
    const plugin = definePlugin({
      name: 'own',
      providers: [
        defineProvider({
          id: 'own',
          documentation: 'here',
          credential: 'none',
          speaks: { chat: '' },
          headers: () => [],
          inProcess: () => ({
            send: () =>
              new Promise((settle) => {
                answerLate = () => settle({ kind: 'answer', status: 200, headers: [], body: late });
              }),
          }),
        }),
      ],
    });
    const { handle, upstreams } = runConfig(
      { provider: 'own', request_timeout: 12 },
      { ...answering, plugins: [plugin] },
    );
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408 });
    expect(upstreams.opened).toEqual([]);
    answerLate();
    await Promise.resolve();
    await Promise.resolve();
    expect(late.discarded).toBe(true);
  });
});
