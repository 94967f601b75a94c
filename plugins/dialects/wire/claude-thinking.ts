import type { Conversation, Part } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { EncodeContext } from './encode-context.ts';

/** Models that support thinking budgets but no effort: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
const budgetModel =
  /claude-(?:3-7-sonnet|(?:sonnet|haiku|opus)-4-5|opus-4-1|(?:sonnet|opus)-4(?:-0\b|[-@]20\d{6}|(?![-.]?\d)))/;

/** Models without thinking. */
const unthinkingModel = /claude-(?:2|instant|3-(?:5|haiku|sonnet|opus))/;

/** Models that refuse a budget: https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking */
const adaptiveModel = /claude-(?:opus-4-[7-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9]|mythos-preview)/;

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

/** Whether reasoning is sent back: only what the service itself signed or encrypted is. */
const isOwn = (part: Part, scope: string): boolean =>
  part.kind === 'reasoning' && part.bound?.scope === scope && part.bound.kind !== 'thought';

/**
 * With a budget, the API requires that an answer which continues after tool results began with thinking, which is not so
 * after calls that another service made.
 */
const mayThink = ({ turns }: Conversation, scope: string): boolean => {
  const last = turns.findLast(({ role }) => role !== 'system' && role !== 'developer');
  if (last?.role !== 'tool') return true;
  const asked = turns.findLast(({ role }) => role === 'assistant');
  return asked?.parts.some((part) => isOwn(part, scope)) ?? true;
};

const withBudget = (budget: number): ClaudeThinking => ({
  thinking: { type: 'enabled', budget_tokens: budget },
  budget,
});

const toBudget = (conversation: Conversation, effort: string, scope: string): ClaudeThinking => {
  const limit = conversation.sampling.maxTokens;
  const wanted = budgets[effort] ?? smallestBudget;
  const tokens = limit === undefined ? wanted : Math.min(wanted, limit - 1);
  return tokens < smallestBudget || !mayThink(conversation, scope) ? {} : withBudget(tokens);
};

const encodeEffort = (conversation: Conversation, effort: string, { lost, scope }: EncodeContext): ClaudeThinking => {
  if (effort === 'none') {
    lost.push('reasoning');
    return { thinking: { type: 'disabled' } };
  }
  const model = conversation.model ?? '';
  if (budgetModel.test(model) || unthinkingModel.test(model)) {
    lost.push('reasoning');
    return unthinkingModel.test(model) ? {} : toBudget(conversation, effort, scope);
  }
  if (effort === 'minimal') lost.push('reasoning');
  return { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort };
};

const encodeBudget = (conversation: Conversation, tokens: number, { lost, scope }: EncodeContext): ClaudeThinking => {
  const isAdaptive = adaptiveModel.test(conversation.model ?? '');
  if (!isAdaptive && !unthinkingModel.test(conversation.model ?? '') && mayThink(conversation, scope))
    return withBudget(tokens);
  lost.push('reasoning');
  return isAdaptive ? { thinking: { type: 'adaptive' } } : {};
};

/** Models that cannot choose how long they think do so with the budget of the effort that is the default of the others. */
const encodeAdaptive = (conversation: Conversation, { lost, scope }: EncodeContext): ClaudeThinking => {
  const model = conversation.model ?? '';
  const hasBudget = budgetModel.test(model);
  if (!hasBudget && !unthinkingModel.test(model)) return { thinking: { type: 'adaptive' } };
  lost.push('reasoning');
  return hasBudget ? toBudget(conversation, 'high', scope) : {};
};

/** How a Claude model is asked to think. */
export const claudeThinking = (conversation: Conversation, context: EncodeContext): ClaudeThinking => {
  const { reasoning } = conversation;
  switch (reasoning?.kind) {
    case undefined:
      return {};
    case 'effort':
      return encodeEffort(conversation, reasoning.effort, context);
    case 'budget':
      return encodeBudget(conversation, reasoning.tokens, context);
    case 'adaptive':
      return encodeAdaptive(conversation, context);
    case 'off':
      return { thinking: { type: 'disabled' } };
  }
};
