import type { PromptCacheRules } from '../../sdk/dialect/cache-hints.ts';

/** How many tokens the shortest cached prefix of a model has, if it is not 1,024. */
const minimums: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:opus-4-[56]|haiku-4-5)/, 4096],
  [/claude-(?:opus-4-7|sonnet-4-6|3-5-haiku|3-haiku)/, 2048],
];

const caching = /claude-(?:3-[57]-|3-opus|3-haiku|(?:opus|sonnet|haiku)-[4-9])/;

/**
 * Returns the rules by which a Claude model caches, or undefined for one that is not known to. If sources differ on a minimum,
 * the higher one is used: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export const claudePromptCache = (model = ''): PromptCacheRules | undefined => {
  if (!caching.test(model)) return undefined;
  const minTokens = minimums.find(([name]) => name.test(model))?.[1] ?? 1024;
  return { minTokens, most: 4, in: ['tools', 'system', 'turns'] };
};
