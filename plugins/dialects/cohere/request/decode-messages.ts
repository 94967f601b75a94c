import type {
  Citation,
  Conversation,
  MediaPart,
  Part,
  TextPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { findExtensions } from '../../shared/parts/own-value.ts';
import { decodeArguments } from '../../shared/request/call-arguments.ts';
import { withCustomResults } from '../../shared/request/custom-results.ts';
import { withSystemPrompt } from '../../shared/request/leading-instructions.ts';
import { addResult } from '../../shared/request/tool-results.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation, isOfText } from '../parts/citations.ts';
import { decodeContent, decodeResultContent, decodeTexts } from './decode-content.ts';

/** Instructions before all other messages form the system prompt; those further on are turns. */
export type DecodedMessages = Pick<Conversation, 'system' | 'turns'>;

const decodeCall = (call: Member): Part =>
  defined({
    kind: 'tool-call' as const,
    id: call.at('id').text(),
    name: call.at('function').at('name').text(),
    ...decodeArguments(call.at('function').at('arguments').maybeText()),
    extensions: findExtensions(call, callMembers),
  });

/** Returns citations by the block that they belong to. Without an index, that is the first text. */
const readCitations = (message: Member, firstText: number): ReadonlyMap<number, readonly Citation[]> => {
  const byBlock = new Map<number, readonly Citation[]>();
  for (const wire of message.at('citations').maybeItems()) {
    if (!isOfText(wire.object())) continue;
    const index = wire.at('content_index').maybeNumber() ?? firstText;
    byBlock.set(index, [...(byBlock.get(index) ?? []), ...decodeCitation(wire.object())]);
  }
  return byBlock;
};

/** Decodes the plan that a model makes before it calls tools, as reasoning. */
const decodePlan = (message: Member): readonly Part[] => {
  const text = message.at('tool_plan').maybeText() ?? '';
  return text === '' ? [] : [{ kind: 'reasoning', text }];
};

const decodeAssistant = (message: Member, scope: string): Turn => {
  const content = decodeContent(message.at('content'), scope);
  const citations = readCitations(message, content.find(([, { kind }]) => kind === 'text')?.[0] ?? 0);
  const cited = content.map(([index, part]): Part => {
    const own = citations.get(index);
    return part.kind === 'text' && own !== undefined ? { ...part, citations: own } : part;
  });
  const calls = message.at('tool_calls').maybeItems().map(decodeCall);
  return { role: 'assistant', parts: [...cited, ...decodePlan(message), ...calls] };
};

const addInstructions = (decoded: { system: TextPart[]; turns: Turn[] }, message: Member, role: Turn['role']): void => {
  const parts = decodeTexts(message.at('content').required());
  if (role === 'system' && decoded.turns.length === 0) append(decoded.system, parts);
  else decoded.turns.push({ role, parts });
};

/** Adds the request's documents to the last question. */
const withDocuments = (turns: readonly Turn[], documents: readonly MediaPart[]): readonly Turn[] => {
  if (documents.length === 0) return turns;
  const asked = turns.findLastIndex(({ role }) => role === 'user');
  if (asked === -1) return [...turns, { role: 'user', parts: documents }];
  return turns.map((turn, index) => (index === asked ? { ...turn, parts: [...documents, ...turn.parts] } : turn));
};

/** Decodes the messages. `scope` applies to bound values that name none. */
export const decodeMessages = (
  messages: readonly Member[],
  documents: readonly MediaPart[],
  scope: string,
): DecodedMessages => {
  const decoded: { system: TextPart[]; turns: Turn[] } = { system: [], turns: [] };
  const { system, turns } = decoded;
  for (const message of messages) {
    const role = message.at('role').text();
    switch (role) {
      case 'system':
      case 'developer':
        addInstructions(decoded, message, role);
        break;
      case 'user':
        turns.push({ role, parts: decodeContent(message.at('content').required(), scope).map(([, part]) => part) });
        break;
      case 'assistant':
        turns.push(decodeAssistant(message, scope));
        break;
      case 'tool': {
        const id = message.at('tool_call_id').text();
        addResult(turns, { kind: 'tool-result', id, parts: decodeResultContent(message.at('content')) });
        break;
      }
      default:
        message.at('role').fail('must be "system", "developer", "user", "assistant" or "tool"');
    }
  }
  return withSystemPrompt({ system, turns: withDocuments(withCustomResults(turns), documents) });
};
