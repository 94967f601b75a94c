import { expect, it } from 'vitest';
import { describePromptCache } from '../../../compiler/cli/explain/describe-prompt-cache.ts';
import { describeProvider } from '../../../compiler/cli/explain/describe-target.ts';
import { calledProvider } from '../../../compiler/cli/explain/served-leaf.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { paramEdits } from '../../../runtime/engine/call/param-edits.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { targetAt } from '../../support/plans/plan-nodes.ts';

const catalogue = buildCatalogue(builtinPlugins);

/** Returns a target of a saved provider with one model in its name, and optionally another in its overrides. */
const target = (provider: string, model: string, override: Target['params']['override']): Target => ({
  ...targetAt(0),
  ...{ from: { kind: 'saved', slug: 'own', provider }, model, params: { override } },
});

const both = (provider: string, model: string, sent: string): Target => target(provider, model, { model: sent });

it.each([
  ['the override', both('openai', 'a', 'b'), 'b'],
  ['the model in the name', target('openai', 'a', { seed: 1 }), 'a'],
])('gw explain shows %s as the model that is sent', (_what, given, model) => {
  expect(paramEdits(given)?.model).toBe(model);
  expect(targetModel(given)).toBe(model);
  expect(describeProvider(given)).toBe(`@own (openai), ${model}`);
});

it('gw explain derives dialects and prompt caching from the model that is sent', () => {
  const spoken = (given: Target) => calledProvider(given, catalogue)?.spoken.map(({ id }) => id);
  expect(spoken(both('vertex-ai', 'gemini-2.5-pro', 'claude-sonnet-4-5'))).toEqual(
    spoken(target('vertex-ai', 'claude-sonnet-4-5', {})),
  );
  expect(spoken(both('vertex-ai', 'gemini-2.5-pro', 'claude-sonnet-4-5'))).not.toEqual(
    spoken(target('vertex-ai', 'gemini-2.5-pro', {})),
  );
  const hinted = describePromptCache(target('anthropic', 'claude-sonnet-4-5', {}), catalogue);
  expect(hinted).toEqual([expect.stringContaining('hints at prompts to cache after')]);
  expect(describePromptCache(both('anthropic', 'nobody-knows', 'claude-sonnet-4-5'), catalogue)).toEqual(hinted);
  expect(describePromptCache(both('anthropic', 'claude-sonnet-4-5', 'nobody-knows'), catalogue)).not.toEqual(hinted);
});
