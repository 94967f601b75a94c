import { describe, expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import { builtinCaches } from '../../../../plugins/caches/builtin-caches.ts';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { openai } from '../../../../plugins/providers/openai-like/openai.ts';
import { defineGuardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { CodeNotLoaded, whenLoaded } from '../../../../plugins/sdk/loading/when-loaded.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { createRuntime } from '../../../../runtime/engine/gateway.ts';
import { type LateStageLoaders, lateStages } from '../../../../runtime/engine/stages/late-stages.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import { createStubUpstreams, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const checked = { input_guardrails: [{ 'test.counted': {} }] };
const cached = { cache: { mode: 'simple' } };

/** A gateway whose stages are loaded late, with the plan of a config and the number of checks created. */
const late = (config: object, loaders?: LateStageLoaders) => {
  let made = 0;
  const counted = defineGuardrail({
    id: 'test.counted',
    parameters: { type: 'object' },
    create: () => {
      made += 1;
      return () => pass();
    },
  });
  const plugin = definePlugin({
    name: 'test',
    ...{ providers: [openai], dialects: [chat], caches: builtinCaches, guardrails: [counted] },
  });
  const clock = createVirtualClock();
  const upstreams = createStubUpstreams(() => stubAnswer({}));
  const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
  const runtime = createRuntime({ stageCode: lateStages(loaders), plugins: [plugin], ports });
  const text = JSON.stringify({ provider: 'openai', api_key: '${env:KEY}', ...config });
  const options = { trust: 'operator', catalogue: buildCatalogue([plugin]), file: 'a.json', name: 'a' } as const;
  const { plan = expect.unreachable() } = compile(text, options);
  return { link: () => runtime.link({ plan, secrets: () => 'k' }), made: () => made };
};

describe('stages that are loaded late', () => {
  it.each([
    ['checks', checked],
    ['caches', cached],
    ['limits', { deadline_ms: 5000, max_cost_usd: 1 }],
    ['circuits', { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 }, breaker: { by: ['error'] } }],
  ])('are loaded when the first plan with %s is linked, and are available to the next', async (_kind, config) => {
    const { link } = late(config);
    expect(link).toThrow(CodeNotLoaded);
    const linked = await whenLoaded(link);
    expect(linked.plan.requires.features).not.toEqual([]);
    expect(link).not.toThrow();
  });

  it('are not needed by a plan without them', () => {
    expect(late({ retry: { attempts: 2 } }).link).not.toThrow();
  });

  it('create nothing for a plan until they are loaded', async () => {
    const { link, made } = late(checked);
    expect(link).toThrow(CodeNotLoaded);
    expect(made()).toBe(0);
    await whenLoaded(link);
    expect(made()).toBe(1);
  });

  it('report what could not be loaded, and are loaded for the next plan', async () => {
    let attempts = 0;
    const { link } = late(checked, {
      checks: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('Cannot find module check-stages.js');
        return import('../../../../runtime/engine/stages/guardrails/check-stages.ts');
      },
    });
    await expect(whenLoaded(link)).rejects.toThrow(
      'The code of plans with checks cannot be loaded: Cannot find module check-stages.js',
    );
    await whenLoaded(link);
    expect(attempts).toBe(2);
  });
});
