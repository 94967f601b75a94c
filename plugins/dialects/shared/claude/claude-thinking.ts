import type { Conversation, Part } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { EncodeContext } from '../request/encode-context.ts';
import { claudeOutput } from './claude-output.ts';

/** Models that support thinking budgets but no effort: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking */
const budgetModel =
  /claude-(?:3-7-sonnet|(?:sonnet|haiku|opus)-4-5|opus-4-1|(?:sonnet|opus)-4(?:-0\b|[-@]20\d{6}|(?![-.]?\d)))/;

/** Whether a model is known to support only budgets. */
export const hasOnlyBudgets = (model: string): boolean => budgetModel.test(model);

/** Models without thinking. */
const unthinkingModel = /claude-(?:2|instant|3-(?:5|haiku|sonnet|opus))/;

/**
 * The last models that accept budgets as well as adaptive thinking; newer ones answer 400 to a budget:
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 */
const eitherModel = /claude-(?:sonnet|opus)-4-6/;

/** Models whose thinking cannot be disabled: https://platform.claude.com/docs/en/models/fable-5/migration-guide */
const alwaysThinkingModel = /claude-(?:mythos|fable|(?:opus|sonnet|haiku)-5-5)/;

/** Whether a model rejects budgets. This is unknown for a name that is not Claude's, such as that of a deployment. */
const refusesBudgets = (model: string): boolean =>
  model.includes('claude') && ![unthinkingModel, budgetModel, eitherModel].some((known) => known.test(model));

/** Thinking tokens for an effort. */
const budgets = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
} as const;

/** The smallest budget that the API accepts. */
const smallestBudget = 1024;

/** `thinking` and `output_config.effort` of a request to a Claude model. */
export interface ClaudeThinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  /** The tokens of `thinking`, if it has a budget. */
  readonly budget?: number;
}

/** Whether reasoning is sent back. Only reasoning that the service itself signed or encrypted is. */
const isOwn = (part: Part, scope: string): boolean =>
  part.kind === 'reasoning' && part.bound?.scope === scope && part.bound.kind !== 'thought';

/** Whether every format of Claude writes a turn of the model. A turn without content is omitted. */
const isWritten = (parts: readonly Part[], scope: string): boolean =>
  parts.some((part) => {
    if (part.kind === 'text' || part.kind === 'refusal') return part.text.trim() !== '';
    return part.kind === 'tool-call' || isOwn(part, scope);
  });

/**
 * Whether thinking with a budget is possible. An answer that continues after tool results must then have begun with thinking,
 * which it does not if another service made the calls. Text of the user after the results is in the same message as the results.
 */
const mayThink = ({ turns }: Conversation, scope: string): boolean => {
  const at = turns.findLastIndex(({ role, parts }) => role === 'assistant' && isWritten(parts, scope));
  const hasResults = turns.slice(at + 1).some(({ parts }) => parts.some(({ kind }) => kind === 'tool-result'));
  return !hasResults || (turns[at]?.parts.some((part) => isOwn(part, scope)) ?? false);
};

const withBudget = (budget: number): ClaudeThinking => ({
  thinking: { type: 'enabled', budget_tokens: budget },
  budget,
});

/** How many tokens are left for the answer itself if the request has no limit. */
const answerRoom = 8192;

/** Returns how many tokens thinking may have at most, or undefined if nothing limits it. */
const maxThinking = ({ model, sampling }: Conversation): number | undefined => {
  if (sampling.maxTokens !== undefined) return sampling.maxTokens - 1;
  const own = claudeOutput(model);
  return own === undefined ? undefined : own - answerRoom;
};

/** Returns the accepted budget nearest to the wanted one, or none if there is no room for one. */
const toBudget = (conversation: Conversation, wanted: number, scope: string): ClaudeThinking => {
  const max = maxThinking(conversation) ?? Number.POSITIVE_INFINITY;
  if (max < smallestBudget || !mayThink(conversation, scope)) return {};
  return withBudget(Math.min(Math.max(wanted, smallestBudget), max));
};

/** Returns the effort for a budget: the inverse of `budgets`, for models without budgets. */
const toEffort = (tokens: number): string => {
  if (tokens <= 2048) return 'low';
  return tokens <= 8192 ? 'medium' : 'high';
};

const toOffSetting = (model: string): ClaudeThinking =>
  alwaysThinkingModel.test(model) ? { effort: 'low' } : { thinking: { type: 'disabled' } };

/** Models that have no effort `xhigh` below `max`: https://platform.claude.com/docs/en/build-with-claude/effort */
const fourEffortsModel = /claude-(?:(?:sonnet|opus)-4-6|mythos-preview)/;

const knownEffort = (effort: string, model: string): string => {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' && fourEffortsModel.test(model) ? 'max' : effort;
};

const encodeEffort = (conversation: Conversation, effort: string, { lost, scope }: EncodeContext): ClaudeThinking => {
  const model = conversation.model ?? '';
  if (effort === 'none') {
    lost.push('reasoning');
    return toOffSetting(model);
  }
  if (hasOnlyBudgets(model) || unthinkingModel.test(model)) {
    lost.push('reasoning');
    return unthinkingModel.test(model) ? {} : toBudget(conversation, lookUp(budgets, effort) ?? smallestBudget, scope);
  }
  const known = knownEffort(effort, model);
  if (known !== effort) lost.push('reasoning');
  return { thinking: { type: 'adaptive' }, effort: known };
};

const encodeBudget = (conversation: Conversation, tokens: number, { lost, scope }: EncodeContext): ClaudeThinking => {
  const { model = '' } = conversation;
  if (refusesBudgets(model)) {
    lost.push('reasoning');
    return { thinking: { type: 'adaptive' }, effort: toEffort(tokens) };
  }
  const thinking = unthinkingModel.test(model) ? {} : toBudget(conversation, tokens, scope);
  if (thinking.budget !== tokens) lost.push('reasoning');
  return thinking;
};

/** Models that support only budgets get that of a medium effort. */
const encodeAdaptive = (conversation: Conversation, { lost, scope }: EncodeContext): ClaudeThinking => {
  const model = conversation.model ?? '';
  const isBudgeted = hasOnlyBudgets(model);
  if (!isBudgeted && !unthinkingModel.test(model)) return { thinking: { type: 'adaptive' } };
  lost.push('reasoning');
  return isBudgeted ? toBudget(conversation, budgets.medium, scope) : {};
};

const encodeThinking = (conversation: Conversation, context: EncodeContext): ClaudeThinking => {
  const { model = '', reasoning } = conversation;
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
      if (alwaysThinkingModel.test(model)) context.lost.push('reasoning');
      return toOffSetting(model);
  }
};

const isForced = ({ tools, toolChoice }: Conversation): boolean =>
  tools.length > 0 && (toolChoice?.mode === 'required' || toolChoice?.mode === 'tool');

/** Whether thinking is on, so that it restricts what else a request may contain. */
export const isThinking = ({ thinking }: { readonly thinking?: Json | undefined }): boolean =>
  isJsonObject(thinking) && thinking.type !== 'disabled';

/**
 * Returns the members that request thinking from a Claude model. A choice that forces a call excludes thinking, which is then
 * omitted:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking#extended-thinking-with-tool-use
 */
export const claudeThinking = (conversation: Conversation, context: EncodeContext): ClaudeThinking => {
  const asked = encodeThinking(conversation, context);
  if (!isThinking(asked) || !isForced(conversation)) return asked;
  context.lost.push('reasoning');
  return {};
};
