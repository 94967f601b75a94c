import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { simple } from '../../../plugins/caches/simple.ts';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { contains } from '../../../plugins/guardrails/text/contains.ts';
import { openai as openaiProvider } from '../../../plugins/providers/openai-like/openai.ts';
import { headerValue } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../../runtime/engine/gateway.ts';
import { PluginError } from '../../../runtime/engine/plugins/plugin-error.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { createStubUpstreams, stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { samplePlan } from '../../support/plans/sample-plan.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({ ok: true }) };

const toRuntime = (plugins: readonly Plugin[], options = {}) => {
  const clock = createVirtualClock();
  const upstreams = createStubUpstreams(() => stubAnswer({}));
  const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
  return createRuntime({ stageCode: wholeStages, plugins, options, ports });
};

describe('joining plugins', () => {
  it('passes each its options', () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({ name: 'a', apply: (_hooks, options) => void seen.push(options) });
    toRuntime([plugin], { a: { size: 1 } });
    toRuntime([plugin]);
    expect(seen).toEqual([{ size: 1 }, {}]);
  });

  it('rejects two that provide the same name, and one made for another API', () => {
    for (const [what, plugin] of [
      ['provider "openai"', { providers: [openaiProvider] }],
      ['dialect "chat"', { dialects: [chat] }],
      ['check "default.contains"', { guardrails: [contains] }],
      ['cache mode "simple"', { caches: [simple] }],
    ] as const)
      expect(() => toRuntime([...builtinPlugins, definePlugin({ name: 'second', ...plugin })])).toThrow(
        `Two plugins provide the ${what}; one of them is "second".`,
      );
    const later = { name: 'later', api: 2 } as unknown as Plugin;
    expect(() => toRuntime([later])).toThrow('The plugin "later" requires plugin API 2, but this gateway has API 1.');
    expect(() => toRuntime([5 as unknown as Plugin])).toThrow('A plugin was not created with definePlugin.');
  });

  it('names the plugin that throws while it is applied', () => {
    const cause = new Error('No such table.');
    const plugin = definePlugin({
      name: 'broken',
      apply: () => {
        throw cause;
      },
    });
    expect(() => toRuntime([plugin])).toThrow(
      new PluginError('The plugin "broken" failed in apply: No such table.', { cause }),
    );
  });

  it('rejects a plugin whose apply is async, because its late taps would never be called', () => {
    const plugin = definePlugin({ name: 'late', apply: () => Promise.reject(new Error('No such table.')) });
    expect(() => toRuntime([plugin])).toThrow('The plugin "late" failed in apply: it must not be async, because');
  });

  it('seals the hooks, because a late tap would never be called', () => {
    const { hooks } = toRuntime(builtinPlugins);
    expect(() => hooks.request.tap('late', (exchange) => exchange)).toThrow('The hook "request" is sealed');
    expect(() => hooks.provider.for('openai').tap('late', () => undefined as never)).toThrow('provider.for("openai")');
    expect(() => hooks.check.for('new').tap('late', () => undefined as never)).toThrow('check.for("new")');
    expect(() => hooks.completed.intercept({})).toThrow('sealed');
  });
});

describe('linking', () => {
  it('reports everything that is missing', () => {
    const plan = samplePlan();
    const needy: RoutingPlan = {
      ...plan,
      requires: {
        ...plan.requires,
        features: ['retry', 'time-travel'],
        plugins: { providers: ['openai', 'nowhere'], checks: ['acme.check'], caches: ['nowhere'] },
        secrets: ['${env:A}', '${env:B}'],
      },
    };
    const { link } = toRuntime(builtinPlugins);
    const secrets = (ref: string) => (ref === '${env:A}' ? 'a' : undefined);
    let problems: unknown;
    try {
      link({ plan: needy, secrets });
    } catch (error) {
      problems = error;
    }
    expect(problems).toMatchObject({
      name: 'LinkError',
      message: expect.stringMatching(/^The plan "sample" cannot be linked\. This gateway .* feature .*\. No plugin/),
      problems: [
        'This gateway does not support the feature "time-travel".',
        'No plugin provides the provider "nowhere".',
        'No plugin provides the check "acme.check".',
        'No plugin provides a cache of the mode "nowhere".',
        'The secret ${env:B} is missing. Set B in the environment of the gateway, and restart it.',
      ],
    });
  });

  it('rejects an unknown plan format, whatever else the plan contains', () => {
    const plan = { ...samplePlan(), format: 2, requires: undefined } as unknown as RoutingPlan;
    expect(() => toRuntime(builtinPlugins).link({ plan, secrets: () => 'x' })).toThrow(
      'The plan has format 2, but this gateway runs format 1.',
    );
  });

  it.each([
    [
      'throws: no key …',
      ({ api_key = '' }) => {
        throw new Error(`no key ${api_key}`);
      },
    ],
    ['must return a list of strings, alternating names and values, and must not be async.', () => undefined as never],
    ['must return a list of strings, alternating names and values, and must not be async.', (async () => []) as never],
    ['must return a list of strings, alternating names and values, and must not be async.', () => ['authorization']],
    [
      'must return a list of strings, alternating names and values, and must not be async.',
      () => ['x-version', 5 as never],
    ],
  ] as readonly (readonly [string, Provider['headers']])[])('names the provider whose "headers" %s', (why, headers) => {
    const plugin = definePlugin({ name: 'acme', providers: [{ ...openaiProvider, id: 'acme', aliases: [], headers }] });
    const plan = samplePlan();
    const targets = plan.targets.map((target) => ({ ...target, from: { kind: 'inline', provider: 'acme' } }) as const);
    const linking = () =>
      toRuntime([...builtinPlugins, plugin]).link({ plan: { ...plan, targets }, secrets: () => 'a-long-secret' });
    expect(linking).toThrow(`"headers" of the provider "acme" ${why}`);
  });

  it.each(['api.acme.example/v1', 'file:///v1'])(
    'reports the address of a provider in the answer if it cannot be called: %s',
    async (baseUrl) => {
      const provider = { ...openaiProvider, id: 'acme', aliases: [], baseUrl };
      const plugins = [definePlugin({ name: 'acme', providers: [provider] })];
      const { gateway, plan } = runConfig({ provider: 'acme', api_key: '${env:KEY}' }, { ...answering, plugins });
      const { body } = await gateway.handle(sampleExchange(question), gateway.link({ plan, secrets: () => 'x' }));
      expect(String(body.kind === 'bytes' && Buffer.from(body.bytes))).toContain(
        `The provider acme has no base URL: ${baseUrl} is not a URL that begins with https:// or http://. Give`,
      );
    },
  );

  it('leaves a target that can never serve to its leaf, so that another branch can', async () => {
    const plan = samplePlan();
    const prompt = plan.targets.map((target) => ({ ...target, from: { kind: 'prompt', promptId: 'p1' } }) as const);
    const linked = toRuntime(builtinPlugins).link({ plan: { ...plan, targets: prompt }, secrets: () => 'x' });
    const { gateway } = runConfig(openai, answering);
    expect(await gateway.handle(sampleExchange(question), linked)).toMatchObject({
      status: 404,
      origin: 'gateway',
      cause: 'unknown-prompt',
      leaf: { path: '/targets/0', provider: '', retries: 0 },
    });
  });

  it('reads secrets once, and again if the plan is linked again', async () => {
    const { gateway, upstreams, clock, plan } = runConfig(openai, answering);
    let value = 'first';
    const linkNow = () => gateway.link({ plan, secrets: () => value });
    const before = linkNow();
    value = 'second';
    const after = linkNow();
    value = 'third';
    for (const linked of [before, after, before]) await clock.settle(gateway.handle(sampleExchange(question), linked));
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
      'Bearer first',
    ]);
  });

  it('reads secrets once even if a request determines the rest', async () => {
    const { gateway, upstreams, clock, plan } = runConfig(openai, answering);
    const targets = plan.targets.map((target) => ({ ...target, from: { kind: 'request' } }) as const);
    let value = 'first';
    const linkNow = () => gateway.link({ plan: { ...plan, targets }, secrets: () => value });
    const before = linkNow();
    value = 'second';
    const after = linkNow();
    for (const linked of [before, after])
      await clock.settle(gateway.handle(sampleExchange(question, { overrides: { provider: 'openai' } }), linked));
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
  });

  it('rejects a leaf whose target is missing from the plan', () => {
    const plan = { ...samplePlan(), targets: [] };
    expect(() => toRuntime(builtinPlugins).link({ plan, secrets: () => 'x' })).toThrow('names target 0');
  });

  it("opens an operator's hosts once, and a caller's hosts at every call", async () => {
    const own = runConfig({ ...openai, custom_host: 'https://own.example/v1' }, answering);
    await own.handle(sampleExchange(question));
    await own.handle(sampleExchange(question));
    expect(own.upstreams.opened).toEqual([{ origin: 'https://own.example', operatorHost: true }]);
    const config = { provider: 'openai', api_key: 'sk-literal', custom_host: 'https://theirs.example/v1' };
    const theirs = runConfig(config, { ...answering, trust: 'caller' });
    for (const _ of [1, 2]) await theirs.handle(sampleExchange(question, { secrets: theirs.secrets }));
    expect(theirs.upstreams.opened).toEqual([
      { origin: 'https://theirs.example', operatorHost: false },
      { origin: 'https://theirs.example', operatorHost: false },
    ]);
  });
});
