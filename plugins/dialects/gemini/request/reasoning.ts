import type { ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { field, spellings } from '../parts/field.ts';
import { findGeneration } from './model-generation.ts';

/** Thinking tokens for an effort: https://ai.google.dev/gemini-api/docs/openai#thinking */
const budgets: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
]);
const largeBudget = 24_576;

/** Returns the nearest budget that models of 2.5 accept: https://ai.google.dev/gemini-api/docs/thinking#set-budget */
const within = (tokens: number, model = ''): number => {
  if (model.includes('pro')) return Math.min(Math.max(tokens, 128), 32_768);
  if (tokens === 0) return 0;
  return Math.min(Math.max(tokens, model.includes('lite') ? 512 : 1), largeBudget);
};

const withBudget = (tokens: number): JsonObject =>
  tokens === 0 ? { thinkingBudget: 0 } : { includeThoughts: true, thinkingBudget: tokens };

const levels: ReadonlyMap<string, string> = new Map([
  ['none', 'MINIMAL'],
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
]);

/** Returns the level for an effort. Pro models have no level `MINIMAL`, and the first of them have no `MEDIUM`. */
const toLevel = (effort: string, model = ''): string => {
  const level = levels.get(effort) ?? 'HIGH';
  if (!model.includes('pro')) return level;
  if (level === 'MINIMAL') return 'LOW';
  return level === 'MEDIUM' && model.includes('gemini-3-pro') ? 'HIGH' : level;
};

/** Returns an effort as a budget, which models of 2.5 and later accept. */
export const effortBudget = (effort: string, model?: string): JsonObject =>
  withBudget(within(budgets.get(effort) ?? largeBudget, model));

/** Returns an effort as a level, which models since 3 prefer. */
export const effortLevel = (effort: string, model?: string): JsonObject => ({
  includeThoughts: true,
  thinkingLevel: toLevel(effort, model),
});

const asLevel = (reasoning: ReasoningRequest, model: string | undefined): JsonObject => {
  switch (reasoning.kind) {
    case 'effort':
      return effortLevel(reasoning.effort, model);
    case 'budget':
      return withBudget(reasoning.tokens);
    case 'adaptive':
      return { includeThoughts: true };
    case 'off':
      return { thinkingLevel: toLevel('none', model) };
  }
};

const asBudget = (reasoning: ReasoningRequest, model: string | undefined): JsonObject => {
  switch (reasoning.kind) {
    case 'effort':
      return effortBudget(reasoning.effort, model);
    case 'budget':
      return withBudget(within(reasoning.tokens, model));
    case 'adaptive':
      return withBudget(-1);
    case 'off':
      return withBudget(within(0, model));
  }
};

/**
 * Returns `thinkingConfig`, or undefined for models without thinking, which reject it. Models of other vendors are treated as the
 * newest generation.
 */
export const encodeReasoning = (reasoning: ReasoningRequest, model: string | undefined): JsonObject | undefined => {
  const generation = findGeneration(model) ?? 3;
  if (generation < 2.5) return undefined;
  return generation < 3 ? asBudget(reasoning, model) : asLevel(reasoning, model);
};

const known = spellings(['includeThoughts', 'thinkingBudget', 'thinkingLevel']);

/** Decodes `thinkingConfig`. If thoughts are requested without an amount, the model chooses the amount. */
export const decodeReasoning = (config: Member): ReasoningRequest | undefined => {
  const level = field(config, 'thinkingLevel').maybeText()?.toLowerCase();
  if (level !== undefined && level !== 'thinking_level_unspecified') return { kind: 'effort', effort: level };
  const tokens = field(config, 'thinkingBudget').maybeNumber();
  if (tokens === 0) return { kind: 'off' };
  if (tokens !== undefined && tokens > 0) return { kind: 'budget', tokens };
  return tokens !== undefined || field(config, 'includeThoughts').maybeBoolean() === true
    ? { kind: 'adaptive' }
    : undefined;
};

/**
 * Returns the members of `thinkingConfig` that a conversation cannot express. Thoughts are requested unless it says otherwise.
 */
export const specialReasoning = (config: Member): JsonObject | undefined => {
  const more = omit(config.maybeObject() ?? {}, known);
  if (field(config, 'includeThoughts').maybeBoolean() !== false) return more;
  return { ...more, includeThoughts: false };
};
