import type { PromptPart } from '../../../plugins/sdk/dialect/cache-hints.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../../schema/plan/target-model.ts';
import { formatList } from '../../../schema/text/format-list.ts';

const describePart: Readonly<Record<PromptPart, string>> = {
  tools: 'the tools',
  system: 'the system prompt',
  turns: 'the turns before the last',
};

/** Describes what `prompt_cache: "auto"` does to a target's requests; empty if its provider needs no hints. */
export const describePromptCache = (target: Target, { providers }: Catalogue): readonly string[] => {
  const provider = providers.get(targetProvider(target) ?? '');
  if (provider?.promptCache === undefined) return [];
  const model = targetModel(target);
  if (model === undefined)
    return ['hints at prompts to cache, where the model that a request names takes them (prompt_cache: "auto")'];
  const rules = provider.promptCache(model);
  if (rules === undefined) return ['no hints at prompts to cache, since the model is not known to take them'];
  const parts = formatList(rules.in.map((part) => describePart[part]));
  return [`hints at prompts to cache after ${parts}, from ${rules.minTokens} tokens on (prompt_cache: "auto")`];
};
