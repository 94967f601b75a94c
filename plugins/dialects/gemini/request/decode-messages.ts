import type { Part, TextPart, Turn } from '../../../../schema/conversation/conversation.ts';
import { append } from '../../shared/json/append.ts';
import type { Member } from '../../shared/json/member.ts';
import { isResult } from '../../shared/request/tool-results.ts';
import { asList } from '../parts/field.ts';
import { ServerCallIds } from '../parts/server-tools.ts';
import { CallIds } from './call-ids.ts';
import { type DecodeContext, decodeContent } from './decode-content.ts';

/** Splits a user's content. Its results become a separate turn, because they answer the model's calls. */
const userTurns = (parts: readonly Part[]): readonly Turn[] => {
  const results = parts.filter(isResult);
  const rest = parts.filter((part) => !isResult(part));
  if (results.length === 0) return [{ role: 'user', parts }];
  return [{ role: 'tool', parts: results }, ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : [])];
};

const isModel = (content: Member): boolean => content.at('role').value === 'model';

const otherTurns = (content: Member, context: DecodeContext): readonly Turn[] => {
  const role = content.at('role').maybeText();
  if (role !== undefined && role !== 'user' && role !== 'function')
    content.at('role').fail('must be "user" or "model"');
  return userTurns(decodeContent(asList(content.at('parts')).maybeItems(), context));
};

/**
 * Decodes the messages of a request, which are called `contents` here. Consecutive ones of the model are one turn. `scope`
 * applies to bound values that name none.
 */
export const decodeMessages = (contents: Member, scope: string): readonly Turn[] => {
  const context = { scope, calls: new CallIds(), serverCalls: new ServerCallIds() };
  const turns: Turn[] = [];
  for (const content of asList(contents).items()) {
    const last = turns.at(-1);
    if (!isModel(content)) append(turns, otherTurns(content, context));
    else {
      const before = last?.role === 'assistant' ? (turns.pop()?.parts ?? []) : [];
      turns.push({
        role: 'assistant',
        parts: decodeContent(asList(content.at('parts')).maybeItems(), context, before),
      });
    }
  }
  return turns;
};

/** Decodes `systemInstruction`, which contains only texts. */
export const decodeSystem = (instruction: Member): readonly TextPart[] =>
  instruction.absent
    ? []
    : asList(instruction.at('parts'))
        .items()
        .map((part) => ({ kind: 'text', text: part.at('text').text() }));
