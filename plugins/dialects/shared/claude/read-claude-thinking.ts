import type { ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Member } from '../json/member.ts';
import { omit } from '../json/omit.ts';

const decodeThinking = (thinking: Member): ReasoningRequest | undefined => {
  if (thinking.absent) return undefined;
  switch (thinking.at('type').text()) {
    case 'enabled':
      return { kind: 'budget', tokens: thinking.at('budget_tokens').maybeNumber() ?? 0 };
    case 'disabled':
      return { kind: 'off' };
    default:
      return { kind: 'adaptive' };
  }
};

/**
 * Reads `thinking` and `output_config.effort` of a request to a Claude model. An effort applies if thinking is left to the model.
 * A budget or `disabled` is more specific.
 */
export const readClaudeThinking = (wire: Member): ReasoningRequest | undefined => {
  const effort = wire.at('output_config').at('effort').maybeText();
  const thinking = decodeThinking(wire.at('thinking'));
  if (effort === undefined || thinking?.kind === 'budget' || thinking?.kind === 'off') return thinking;
  return { kind: 'effort', effort };
};

const plainThinking: ReadonlySet<string> = new Set(['type', 'budget_tokens']);
const plainTypes: ReadonlySet<unknown> = new Set(['enabled', 'disabled', 'adaptive']);

/** Returns `thinking` if the conversation cannot express all of it. */
export const specialThinking = (wire: Member): JsonObject | undefined => {
  const thinking = wire.at('thinking').maybeObject() ?? {};
  const isPlain = omit(thinking, plainThinking) === undefined && plainTypes.has(thinking.type ?? 'adaptive');
  return isPlain ? undefined : thinking;
};
