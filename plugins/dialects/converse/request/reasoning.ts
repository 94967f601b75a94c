import type { Conversation, ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { claudeThinking } from '../../shared/claude/claude-thinking.ts';
import { defined } from '../../shared/json/defined.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';
import type { Lost } from '../../shared/request/lost.ts';
import type { ModelFamily } from './model-family.ts';

const novaEfforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' };

/** https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html: only an effort, with three levels. */
const novaReasoning = (reasoning: ReasoningRequest, lost: Lost): JsonObject => {
  if (reasoning.kind === 'off') return { reasoningConfig: { type: 'disabled' } };
  if (reasoning.kind !== 'effort') {
    lost.push('reasoning');
    return {};
  }
  const { effort } = reasoning;
  const maxReasoningEffort = lookUp(novaEfforts, effort) ?? effort;
  if (maxReasoningEffort !== effort || effort === 'none') lost.push('reasoning');
  return { reasoningConfig: effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort } };
};

/** Returns the fields with which a model is asked to reason. */
export const encodeReasoning = (
  conversation: Conversation,
  family: ModelFamily,
  context: EncodeContext,
): JsonObject => {
  const { lost } = context;
  const { reasoning } = conversation;
  if (reasoning === undefined) return {};
  if (family.effort === 'thinking') {
    const { thinking, effort } = claudeThinking(conversation, context);
    return defined({ thinking, output_config: effort === undefined ? undefined : { effort } });
  }
  if (family.effort === 'reasoningConfig') return novaReasoning(reasoning, lost);
  if (reasoning.kind === 'effort' && family.effort === 'reasoning') return { reasoning: { effort: reasoning.effort } };
  if (reasoning.kind === 'effort' && family.effort === 'reasoning_effort')
    return { reasoning_effort: reasoning.effort };
  lost.push('reasoning');
  return {};
};
