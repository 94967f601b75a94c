import type { Conversation, ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import type { Lost } from '../../shared/request/lost.ts';

/** https://docs.cohere.com/docs/reasoning: thinking without a limit is recommended, so the highest efforts get no budget. */
const budgets: Readonly<Record<string, number>> = { minimal: 1024, low: 1024, medium: 8192 };

export const decodeReasoning = (thinking: Member): ReasoningRequest | undefined => {
  if (thinking.absent) return undefined;
  const tokens = thinking.at('token_budget').maybeNumber();
  switch (thinking.at('type').text()) {
    case 'disabled':
      return { kind: 'off' };
    case 'enabled':
      return tokens === undefined ? { kind: 'adaptive' } : { kind: 'budget', tokens };
    default:
      return thinking.at('type').fail('must be "enabled" or "disabled"');
  }
};

/** Limits a budget so that it leaves room for an answer. */
const withinLimit = (tokens: number, limit: number | undefined): number =>
  limit === undefined ? tokens : Math.max(1, Math.min(tokens, limit - 1));

export const encodeEffort = (effort: string, limit: number | undefined): JsonObject => {
  if (effort === 'none') return { type: 'disabled' };
  const tokens = lookUp(budgets, effort);
  return defined({ type: 'enabled', token_budget: tokens === undefined ? undefined : withinLimit(tokens, limit) });
};

/** Returns `thinking`, which can have a budget, but no effort. */
export const encodeReasoning = ({ reasoning, sampling }: Conversation, lost: Lost): JsonObject | undefined => {
  switch (reasoning?.kind) {
    case undefined:
      return undefined;
    case 'effort':
      lost.push('reasoning');
      return encodeEffort(reasoning.effort, sampling.maxTokens);
    case 'budget':
      return { type: 'enabled', token_budget: reasoning.tokens };
    case 'adaptive':
      return { type: 'enabled' };
    case 'off':
      return { type: 'disabled' };
  }
};
