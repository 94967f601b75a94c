import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { withDefaultHooks } from '../../../compiler/with-default-hooks.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { DefaultGuardrails, TenantView } from '../../../plugins/sdk/control-plane/tenants.ts';
import { defineGuardrail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { LinkError } from '../../../runtime/engine/link-error.ts';
import { type ServedPlan, toServedPlan } from '../../../runtime/file-plans/served-plan.ts';
import { createGuardedPlans } from '../../../runtime/tenant-plans/guarded-plans.ts';
import { type CompiledPlan, createPlanCache } from '../../../runtime/tenant-plans/plan-cache.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'a question' }] };

interface World {
  readonly defaults?: Partial<DefaultGuardrails>;
  readonly guardrails?: Saved['guardrails'];
  readonly secrets?: TenantView['secrets'];
  readonly trust?: 'operator' | 'caller';
  /** Whether the compiler fails to load the first time. */
  readonly failsOnce?: boolean;
  readonly entries?: number;
}

const token = '${saved:guardrails/g/checks/0/parameters/token}' as const;

/** Creates a plan of the config, and the function that adds a tenant's default guardrails. Its check records its tokens. */
const world = (config: JsonObject, given: World = {}) => {
  const { defaults, guardrails = { g: { 'test.token': { token } } }, trust = 'operator', failsOnce = false } = given;
  const tokens: string[] = [];
  const loads: string[] = [];
  const recording = defineGuardrail({
    id: 'test.token',
    parameters: { type: 'object', properties: { token: { type: 'string', format: 'secret' } } },
    create:
      (own: { readonly token?: string }, { http }) =>
      async ({ cancellation }) => {
        tokens.push(own.token ?? 'none');
        await http.send({ url: 'https://scan.test/', cancellation });
        return pass();
      },
  });
  const breaks = defineGuardrail({
    id: 'test.breaks',
    parameters: { type: 'object', properties: {} },
    create: () => {
      throw new Error('It breaks.');
    },
  });
  const plugins = [definePlugin({ name: 'recording', guardrails: [recording, breaks] })];
  const catalogue = buildCatalogue([...builtinPlugins, ...plugins]);
  const running = runConfig(config, { upstream: () => stubAnswer('{}'), plugins, trust });
  const made = { count: 0 };
  const guard = createGuardedPlans({
    defaults: { input: ['g'], output: [], ...defaults },
    compiler: async () => {
      loads.push('load');
      if (failsOnce && loads.length === 1) throw new Error('not yet');
      return {
        compileSaved: (text) => compile(text, { trust: 'saved', catalogue, saved: { ...nothingSaved, guardrails } }),
        withDefaultHooks: (plan, added) => withDefaultHooks(plan, added, catalogue),
      };
    },
    guardrails,
    secrets: given.secrets ?? ((ref) => (ref === token ? 'the token' : undefined)),
    cache: createPlanCache({
      check: () => undefined,
      ...(given.entries === undefined ? {} : { entries: given.entries }),
    }),
    newKey: () => {
      made.count += 1;
      return String(made.count);
    },
  });
  const linked = running.gateway.link({
    plan: running.plan,
    secrets: (ref) => (ref.startsWith('${env:') ? `value of ${ref}` : undefined),
    callerPlan: trust === 'caller',
  });
  const served = toServedPlan(linked, { origin: 'file', secrets: running.secrets });
  const run = async (plan: CompiledPlan): Promise<void> => {
    if (!('linked' in plan)) throw new Error('The plan was refused.');
    const exchange = sampleExchange(question, { secrets: plan.secrets });
    await running.clock.settle(running.gateway.handle(exchange, plan.linked));
  };
  return { served, guard, tokens, loads, run, opened: running.upstreams.opened };
};

const hook = (secret: string): JsonObject => ({
  before_request_hooks: [
    { id: 'mine', type: 'guardrail', checks: [{ id: 'test.token', parameters: { token: secret } }] },
  ],
});

const readReport = async (attempt: () => unknown): Promise<GatewayError> => {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('a plan with the default guardrails of a tenant', () => {
  it('is created once, and is available immediately afterwards', async () => {
    const { served, guard, loads } = world({ provider: 'echo' });
    const [first, second] = await Promise.all([guard(served), guard(served)]);
    expect(guard(served)).toBe(first);
    expect([second, loads]).toEqual([first, ['load']]);
    expect(guard(toServedPlan(served.linked, served))).not.toBeInstanceOf(Promise);
  });

  it('is created again if the cache has evicted it', async () => {
    const { served, guard, loads } = world({ provider: 'echo' }, { entries: 1 });
    const first = await guard(served);
    await guard(toServedPlan(served.linked, served));
    expect(guard(served)).not.toBe(first);
    expect(guard(served)).toEqual(expect.objectContaining({ label: (first as ServedPlan).label }));
    expect(loads).toEqual(['load']);
  });

  it('is linked with its own secrets and those of the tenant', async () => {
    const { served, guard, tokens, run } = world({ provider: 'openai', api_key: '${env:KEY}', ...hook('${env:MINE}') });
    await run(await guard(served));
    expect(tokens).toEqual(['value of ${env:MINE}', 'the token']);
  });

  it('has the secrets of its caller and those of the saved guardrail, each in its place', async () => {
    const guardrails = { g: { 'test.token': { token: 'literal' } } };
    const caller = { provider: 'openai', api_key: 'sk-caller', ...hook('of the caller') };
    const { served, guard, tokens, run } = world(caller, { guardrails, trust: 'caller' });
    const guarded = await guard(served);
    expect(guarded).toMatchObject({ secrets: ['sk-caller', 'of the caller', 'literal'] });
    await run(guarded);
    expect(tokens).toEqual(['of the caller', 'literal']);
  });

  it('lets only the checks of the operator call hosts of the operator', async () => {
    const { served, guard, run, opened } = world({ provider: 'openai', api_key: '${env:KEY}', ...hook('${env:MINE}') });
    await run(await guard(served));
    expect(opened.filter(({ origin }) => origin === 'https://scan.test')).toEqual([
      { origin: 'https://scan.test', operatorHost: true },
      { origin: 'https://scan.test', operatorHost: false },
    ]);
  });

  it('is not created for a rejected config', () => {
    const { guard } = world({ provider: 'echo' });
    const refused = { refused: [] };
    expect(guard(refused)).toBe(refused);
  });

  it.each([
    ['is not there', { defaults: { input: ['g', 'lost'] } }, 'lost', 'No guardrail is saved as "lost".'],
    ['has no check', { guardrails: { g: { 'test.gone': {} } } }, 'g', 'There is no check "test.gone".'],
    ['is for answers', { guardrails: { g: { 'default.notNull': {} } } }, 'g', 'default.notNull'],
    ['cannot be created', { guardrails: { g: { 'test.breaks': {} } } }, 'g', 'One of its checks cannot be created.'],
    ['has another name for people', { guardrails: { g: { id: 'pii', 'test.gone': {} } } }, 'pii', 'test.gone'],
    ['lacks its secret', { secrets: () => undefined }, 'g', 'A secret or a plugin that it needs is missing.'],
  ] as const)('is not served if a guardrail %s', async (condition, given, name, reason) => {
    const { served, guard } = world({ provider: 'echo' }, given);
    for (const _again of [1, 2]) {
      const { report, cause } = await readReport(() => guard(served));
      expect(report).toMatchObject({ status: 500, code: 'default-guardrail-not-usable', type: 'gateway_error' });
      expect(report.message).toContain(`"${name}"`);
      expect(report.message).toContain(reason);
      expect(cause instanceof LinkError).toBe(condition === 'lacks its secret');
      expect(cause instanceof Error).toBe(condition === 'lacks its secret' || condition === 'cannot be created');
    }
  });

  it('is created after a failed attempt to load the compiler', async () => {
    const { served, guard, loads } = world({ provider: 'echo' }, { failsOnce: true });
    await expect(Promise.resolve(guard(served))).rejects.toThrow('not yet');
    expect(await guard(served)).toMatchObject({ linked: { plan: { requires: { features: ['input-checks'] } } } });
    expect(loads).toEqual(['load', 'load']);
  });
});
