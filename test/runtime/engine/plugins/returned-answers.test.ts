import { describe, expect, it } from 'vitest';
import type { Hooks, StreamStageFactory } from '../../../../plugins/sdk/hooks/hooks.ts';
import type { UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { StubBody } from '../../../support/in-process/stub-upstreams.ts';

type Hook = 'request' | 'providerRequest' | 'response' | 'providerResponse' | 'beforeRoute' | 'admit';
type Give = (given: object) => unknown;

/** Runs a request with a tap of a hook. Returns its status, and whether the answer of its provider was discarded. */
const run = async (
  hook: Hook,
  give: Give,
  errors: string[] = [],
): Promise<{ readonly status: number; readonly isLetGo: boolean }> => {
  const body = new StubBody('x');
  const apply = (hooks: Hooks): void => {
    // A plugin that was not type-checked can return anything.
    (hooks[hook] as unknown as { tap: (name: string, give: Give) => void }).tap('test', give);
    hooks.failed.tap('test', ({ cause }) => void errors.push(errorText(cause)));
  };
  const { handle } = runConfig(
    { provider: 'openai', api_key: '${env:KEY}' },
    {
      upstream: () => ({ kind: 'answer', status: 200, headers: [], body }),
      plugins: [definePlugin({ name: 'test', apply })],
    },
  );
  const { status } = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
  return { status, isLetGo: body.discarded };
};

const nonsense: readonly (readonly [what: string, give: Give])[] = [
  ['a text', () => 'nonsense'],
  ['true', () => true],
  ['null', () => null],
  ['an empty object', () => ({})],
  ['an answer without a body', (given) => ({ ...given, body: undefined })],
  ['a text as the body', (given) => ({ ...given, body: 'text' })],
  ['a body of another kind', (given) => ({ ...given, body: { kind: 'json', value: 1 } })],
  ['an incomplete stream', (given) => ({ ...given, body: { kind: 'stream', start() {} } })],
  ['headers as an object', (given) => ({ ...given, headers: { a: 'b' } })],
];

/** Parts of answers that HTTP cannot express. They were noticed only when they were written, without naming the plugin. */
const unsayable: readonly (readonly [what: string, part: object])[] = [
  ['a header without a value', { headers: ['x-a'] }],
  ['a header with a number', { headers: ['x-a', 1] }],
  ['a header with a line break', { headers: ['x-a', 'b\r\nx-c: d'] }],
  ['a header with a character beyond Latin-1', { headers: ['x-a', '\u2013'] }],
  ['a header whose name is no token', { headers: ['x a', 'b'] }],
  ['a text as the status', { status: 'ok' }],
  ['the status 99', { status: 99 }],
  ['the status of an interim answer', { status: 103 }],
  ['the status 600', { status: 600 }],
];

describe.each(['response', 'beforeRoute', 'admit'] as const)('a tap of %s that answers with', (hook) => {
  const whole = { status: 200, headers: [], origin: 'gateway', body: { kind: 'bytes', bytes: Buffer.from('x') } };

  it.each(unsayable)('%s is named', async (_, part) => {
    const errors: string[] = [];
    expect((await run(hook, () => ({ ...whole, ...part }), errors)).status).toBe(500);
    expect(errors.join()).toContain(`at the hook "${hook}", which is tapped by test`);
  });
});

it.each(unsayable)(
  'an answer of a provider to which a tap adds %s is discarded, and the tap is named',
  async (_, part) => {
    const errors: string[] = [];
    expect(await run('providerResponse', (given) => ({ ...given, ...part }), errors)).toEqual({
      status: 500,
      isLetGo: true,
    });
    expect(errors.join()).toContain('at the hook "providerResponse", which is tapped by test');
  },
);

describe.each(['response', 'providerResponse'] as const)('a tap of %s that returns', (hook) => {
  it.each(nonsense)('%s ends its request, and the answer of the provider is discarded', async (_, give) => {
    expect(await run(hook, give)).toEqual({ status: 500, isLetGo: true });
  });
});

describe.each(['beforeRoute', 'admit'] as const)('a tap of %s that returns', (hook) => {
  it.each(nonsense)('%s ends its request', async (_, give) => {
    expect((await run(hook, give)).status).toBe(500);
  });
});

describe('the error for a wrong value', () => {
  it.each([
    ['request', 'an exchange', null],
    ['request', 'an exchange', 5],
    ['request', 'an exchange', {}],
    ['providerRequest', 'a request', null],
    ['providerRequest', 'a request', {}],
    ['response', 'an answer', {}],
    ['providerResponse', 'an answer', {}],
    ['beforeRoute', 'an answer', {}],
    ['admit', 'an answer', {}],
  ] as const)(
    'names the hook %s, which needs %s and got %j, and the plugins that tap it',
    async (hook, what, given) => {
      const errors: string[] = [];
      expect((await run(hook, () => given, errors)).status).toBe(500);
      expect(errors).toEqual([
        `A plugin returned something other than ${what} at the hook "${hook}", which is tapped by test.`,
      ]);
    },
  );
});

describe('the answer of a provider is discarded', () => {
  it('if a plugin returns a whole one in place of a stream', async () => {
    const body = { kind: 'bytes', bytes: Buffer.from('mine') };
    expect(await run('response', (given) => ({ ...given, body }))).toEqual({ status: 200, isLetGo: true });
  });

  it('if a plugin returns a failure in its place', async () => {
    const failure = { kind: 'failure', error: errorReport('connection-failed', { host: 'a.example', reason: 'no' }) };
    expect(await run('providerResponse', () => failure)).toEqual({ status: 502, isLetGo: true });
  });

  it('but not if a plugin only looks at it', async () => {
    for (const hook of ['response', 'providerResponse'] as const)
      expect(await run(hook, (given) => given)).toEqual({ status: 200, isLetGo: false });
  });
});

const unused: UpstreamAnswer = { kind: 'failure', error: errorReport('internal-error', {}) };

/** Runs a request at a provider of a plugin that answers in process. Returns its status and the errors. */
const runOwn = async (answer: unknown): Promise<readonly [status: number, errors: string]> => {
  const errors: string[] = [];
  const provider = {
    ...{ id: 'own', documentation: 'https://example.com', baseUrl: 'https://example.com', credential: 'none' },
    ...{ speaks: { chat: '/chat/completions' }, headers: () => [] },
    // A plugin that was not type-checked can return anything.
    inProcess: () => ({ send: async () => answer }),
  };
  const plugin = definePlugin({
    name: 'test',
    providers: [defineProvider(provider as unknown as Provider)],
    apply: (hooks) => hooks.failed.tap('test', ({ cause }) => void errors.push(errorText(cause))),
  });
  const { handle } = runConfig({ provider: 'own' }, { upstream: () => unused, plugins: [plugin] });
  const { status } = await handle(sampleExchange({ model: 'm', messages: [] }));
  return [status, errors.join()];
};

describe('a provider of a plugin that returns', () => {
  const whole = () => ({ kind: 'answer', status: 200, headers: [], body: new StubBody('{}') });

  it.each<readonly [what: string, answer: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a text as the body', { ...whole(), body: '{}' }],
    ['a failure without an error', { kind: 'failure' }],
    ...unsayable.map(([what, part]) => [what, { ...whole(), ...part }] as const),
  ])('%s is named', async (_, answer) => {
    const [status, errors] = await runOwn(answer);
    expect(status).toBe(500);
    expect(errors).toContain('The provider "own", which is a plugin\'s, returned something other than an answer');
  });

  it('an answer that HTTP cannot express has its body discarded', async () => {
    const body = new StubBody('{}');
    await runOwn({ ...whole(), status: 99, body });
    expect(body.discarded).toBe(true);
  });
});

describe('a plugin that adds a stage to streams', () => {
  const linkWith = (factory: unknown, errors: string[] = []): ReturnType<typeof runConfig> => {
    const apply = (hooks: Hooks): void => {
      hooks.stream.tap('test', (factories) => void factories.push(factory as StreamStageFactory));
      hooks.failed.tap('test', ({ cause }) => void errors.push(errorText(cause)));
    };
    return runConfig(
      { provider: 'echo' },
      { upstream: () => unused, plugins: [definePlugin({ name: 'test', apply })] },
    );
  };

  it.each([
    ['nothing', undefined],
    ['no create', { reads: ['text'], holds: 'none' }],
    ['no reads', { holds: 'none', create: () => ({}) }],
  ])('is named when a plan is linked if it adds %s', (_, factory) => {
    expect(() => linkWith(factory)).toThrow(
      'A plugin returned something other than a stage factory with "reads", "holds" and "create" at the hook "stream", which is tapped by test.',
    );
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['a stage without an end', { push: () => ({ do: 'release' }) }],
    ['a promise', Promise.resolve({})],
  ])('is named if its factory creates %s', async (_, stage) => {
    const errors: string[] = [];
    const { handle } = linkWith({ reads: ['text'], holds: 'none', create: () => stage }, errors);
    const messages = [{ role: 'user', content: 'Hi' }];
    const { status } = await handle(sampleExchange({ model: 'm', stream: true, messages }));
    expect(status).toBe(500);
    expect(errors).toEqual([
      'A plugin returned something other than a stage with "push" and "end" at the hook "stream", which is tapped by test.',
    ]);
  });
});
