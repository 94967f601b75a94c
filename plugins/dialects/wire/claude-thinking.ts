import type { Conversation } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Lost } from './lost.ts';

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

/** `thinking` and `output_config.effort` of a request to a Claude model. */
export interface ClaudeThinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  /** The tokens of `thinking`, if it has a budget. */
  readonly budget?: number;
}

/** With a budget, the API requires that an answer which continues after tool results began with signed thinking. */
const mayThink = ({ turns }: Conversation): boolean => {
  const last = turns.findLast(({ role }) => role !== 'system' && role !== 'developer');
  if (last?.role !== 'tool') return true;
  const asked = turns.findLast(({ role }) => role === 'assistant');
  return asked?.parts.some((part) => part.kind === 'reasoning' && part.bound !== undefined) ?? true;
};

const withBudget = (budget: number): ClaudeThinking => ({
  thinking: { type: 'enabled', budget_tokens: budget },
  budget,
});

const toBudget = (conversation: Conversation, effort: string): ClaudeThinking => {
  const limit = conversation.sampling.maxTokens;
  const wanted = budgets[effort] ?? smallestBudget;
  const tokens = limit === undefined ? wanted : Math.min(wanted, limit - 1);
  return tokens < smallestBudget || !mayThink(conversation) ? {} : withBudget(tokens);
};

const encodeEffort = (conversation: Conversation, effort: string, lost: Lost): ClaudeThinking => {
  if (effort === 'none') {
    lost.push('reasoning');
    return { thinking: { type: 'disabled' } };
  }
  const model = conversation.model ?? '';
  if (budgetModel.test(model) || unthinkingModel.test(model)) {
    lost.push('reasoning');
    return unthinkingModel.test(model) ? {} : toBudget(conversation, effort);
  }
  if (effort === 'minimal') lost.push('reasoning');
  return { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort };
};

/** How a Claude model is asked to think. */
export const claudeThinking = (conversation: Conversation, lost: Lost): ClaudeThinking => {
  const { reasoning } = conversation;
  switch (reasoning?.kind) {
    case undefined:
      return {};
    case 'effort':
      return encodeEffort(conversation, reasoning.effort, lost);
    case 'budget':
      return withBudget(reasoning.tokens);
    case 'adaptive':
      return { thinking: { type: 'adaptive' } };
    case 'off':
      return { thinking: { type: 'disabled' } };
  }
};
