import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { type Check, fail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { defineLazyGuardrail } from '../../../plugins/sdk/guardrail/lazy-guardrail.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Plan } from '../../../schema/plan/typed-plan.ts';
import { route } from '../../../testing.ts';

/** Loading its code takes several turns of the event loop, like modules that Node reads from disk. */
const polite = defineLazyGuardrail({
  id: 'test.polite',
  parameters: { type: 'object', properties: {} },
  load: async () => {
    await sleep(20);
    return (): Check =>
      ({ text }) =>
        text.includes('please') ? pass() : fail('It is not polite.');
  },
});
const manners = definePlugin({ name: 'manners', guardrails: [polite] });

const guarded = (): Plan<{ target: string; metadata: object; secrets: { readonly OPENAI_API_KEY: string } }> => {
  const config = {
    provider: 'openai',
    api_key: '${env:OPENAI_API_KEY}',
    input_guardrails: [{ 'test.polite': {}, deny: true }],
  };
  const catalogue = buildCatalogue([...builtinPlugins, manners]);
  const { plan } = compile(JSON.stringify(config), { trust: 'operator', catalogue });
  if (plan === undefined) throw new Error('The config does not compile.');
  return plan;
};

describe('a route test of a plan with a lazily loaded check', () => {
  it.each([
    ['Go away!', 446],
    ['Go away, please!', 200],
  ])('gets a verdict before any virtual time passes: %s', async (content, status) => {
    const run = await route(guarded(), { plugins: [manners] })
      .given({ body: { model: 'm', messages: [{ role: 'user', content }] } })
      .run();
    expect(run).toMatchObject({ status, elapsedMs: 0 });
  });
});
