import type { Conversation } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Lost } from '../wire/lost.ts';

/** `max_tokens` is required; this is the value for requests without it. */
const defaultMaxTokens = 4096;

/** Models that support thinking budgets but no effort: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
const budgetModel =
  /claude-(?:3-7-sonnet|(?:sonnet|haiku|opus)-4-5|opus-4-1|(?:sonnet|opus)-4(?:-0\b|[-@]20\d{6}|(?![-.]?\d)))/;

/** Models without thinking. */
const unthinkingModel = /claude-(?:2|instant|3-(?:5|haiku|sonnet|opus))/;

/** Thinking tokens for an effort. */
const budgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

/** The smallest budget that the API accepts. */
const smallestBudget = 1024;

export interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  /** The `max_tokens` that leaves room for an answer, if the request has none. */
  readonly maxTokens: number;
}

/** With a budget, the API requires that an answer which continues after tool results began with signed thinking. */
const mayThink = ({ turns }: Conversation): boolean => {
  const last = turns.findLast(({ role }) => role !== 'system' && role !== 'developer');
  if (last?.role !== 'tool') return true;
  const asked = turns.findLast(({ role }) => role === 'assistant');
  return asked?.parts.some((part) => part.kind === 'reasoning' && part.bound !== undefined) ?? true;
};

const toBudget = (conversation: Conversation, effort: string): EncodedReasoning => {
  const limit = conversation.sampling.maxTokens;
  const wanted = budgets[effort] ?? smallestBudget;
  const tokens = limit === undefined ? wanted : Math.min(wanted, limit - 1);
  if (tokens < smallestBudget || !mayThink(conversation)) return { maxTokens: limit ?? defaultMaxTokens };
  return {
    thinking: { type: 'enabled', budget_tokens: tokens },
    maxTokens: limit ?? tokens + defaultMaxTokens,
  };
};

const encodeEffort = (conversation: Conversation, effort: string, lost: Lost): EncodedReasoning => {
  const maxTokens = conversation.sampling.maxTokens ?? defaultMaxTokens;
  if (effort === 'none') {
    lost.push('reasoning');
    return { thinking: { type: 'disabled' }, maxTokens };
  }
  const model = conversation.model ?? '';
  if (budgetModel.test(model) || unthinkingModel.test(model)) {
    lost.push('reasoning');
    return unthinkingModel.test(model) ? { maxTokens } : toBudget(conversation, effort);
  }
  if (effort === 'minimal') lost.push('reasoning');
  return { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort, maxTokens };
};

/** `thinking`, `output_config.effort` and the `max_tokens` that go with them. */
export const encodeReasoning = (conversation: Conversation, lost: Lost): EncodedReasoning => {
  const { reasoning, sampling } = conversation;
  if (sampling.maxTokens === undefined) lost.push('sampling.maxTokens');
  const maxTokens = sampling.maxTokens ?? defaultMaxTokens;
  switch (reasoning?.kind) {
    case undefined:
      return { maxTokens };
    case 'effort':
      return encodeEffort(conversation, reasoning.effort, lost);
    case 'budget': {
      const thinking = { type: 'enabled', budget_tokens: reasoning.tokens };
      return { thinking, maxTokens: sampling.maxTokens ?? reasoning.tokens + defaultMaxTokens };
    }
    case 'adaptive':
      return { thinking: { type: 'adaptive' }, maxTokens };
    case 'off':
      return { thinking: { type: 'disabled' }, maxTokens };
  }
};
