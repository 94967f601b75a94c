import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { Lost } from '../request/lost.ts';

/**
 * If the last turn is the beginning of Claude's answer, removes white space from its end, which the API rejects:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/prefill-claudes-response
 */
export const withoutEndSpace = (conversation: Conversation, lost: Lost): Conversation => {
  const { turns } = conversation;
  const turn = turns.at(-1);
  const part = turn?.parts.at(-1);
  if (turn?.role !== 'assistant' || part?.kind !== 'text') return conversation;
  const text = part.text.trimEnd();
  // A blank text is omitted altogether.
  if (text === part.text || text === '') return conversation;
  lost.push(`turns[${turns.length - 1}].parts[${turn.parts.length - 1}].text`);
  const parts = [...turn.parts.slice(0, -1), { ...part, text }];
  return { ...conversation, turns: [...turns.slice(0, -1), { ...turn, parts }] };
};
