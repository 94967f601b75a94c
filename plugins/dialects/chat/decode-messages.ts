import type { Part, TextPart, ToolResultPart, Turn } from '../../../schema/conversation.ts';
import { decodeCache } from '../wire/cache-hint.ts';
import { defined } from '../wire/defined.ts';
import type { Member } from '../wire/member.ts';
import { decodeContent, decodeText, decodeThinking } from './decode-content.ts';

/** All system and developer messages form one system prompt, in order. */
export interface DecodedMessages {
  readonly system: readonly TextPart[];
  readonly turns: readonly Turn[];
}

const decodeSystem = (message: Member): readonly TextPart[] => {
  const content = message.at('content');
  if (content.absent || content.value === '') return [];
  if (typeof content.value !== 'string') return content.items().map(decodeText);
  return [defined({ kind: 'text' as const, text: content.value, cache: decodeCache(message) })];
};

const decodeToolCall = (call: Member): Part => {
  if (call.at('type').maybeText() === 'custom') return { kind: 'other', dialect: 'chat', value: call.object() };
  return defined({
    kind: 'tool-call' as const,
    id: call.at('id').text(),
    name: call.at('function').at('name').text(),
    arguments: call.at('function').at('arguments').maybeText() ?? '',
    cache: decodeCache(call),
  });
};

/** Reasoning that a client sends back, in the form of compatible providers or of this gateway's non-strict answers. */
const decodeReasoning = (message: Member, scope: string): readonly Part[] => {
  const blocks = message
    .at('content_blocks')
    .maybeItems()
    .filter((block) => /^(?:redacted_)?thinking$/.test(block.at('type').text()));
  if (blocks.length > 0) return blocks.map((block) => decodeThinking(block, scope));
  const text = message.at('reasoning_content').maybeText() ?? message.at('reasoning').maybeText();
  return text === undefined || text === '' ? [] : [{ kind: 'reasoning', text }];
};

const decodeAssistant = (message: Member, scope: string): Turn => {
  const refusal = message.at('refusal').maybeText();
  return defined({
    role: 'assistant' as const,
    name: message.at('name').maybeText(),
    parts: [
      ...decodeReasoning(message, scope),
      ...decodeContent(message.at('content'), scope),
      ...(refusal === undefined || refusal === '' ? [] : [{ kind: 'refusal' as const, text: refusal }]),
      ...message.at('tool_calls').maybeItems().map(decodeToolCall),
    ],
  });
};

const isResultContent = (part: Part): part is ToolResultPart['parts'][number] =>
  part.kind === 'text' || part.kind === 'media' || part.kind === 'other';

const decodeToolResult = (message: Member, scope: string): ToolResultPart =>
  defined({
    kind: 'tool-result' as const,
    id: message.at('tool_call_id').text(),
    parts: decodeContent(message.at('content'), scope).filter(isResultContent),
    cache: decodeCache(message),
  });

/** Consecutive results answer one assistant turn, so they form one turn. */
const addResult = (turns: Turn[], result: ToolResultPart): void => {
  const last = turns.at(-1);
  if (last?.role === 'tool') turns[turns.length - 1] = { ...last, parts: [...last.parts, result] };
  else turns.push({ role: 'tool', parts: [result] });
};

/** `scope` is that of bound values which name none. */
export const decodeMessages = (messages: readonly Member[], scope: string): DecodedMessages => {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  for (const message of messages) {
    switch (message.at('role').text()) {
      case 'system':
      case 'developer':
        system.push(...decodeSystem(message));
        break;
      case 'user':
        turns.push(
          defined({
            role: 'user' as const,
            name: message.at('name').maybeText(),
            parts: decodeContent(message.at('content'), scope),
          }),
        );
        break;
      case 'assistant':
        turns.push(decodeAssistant(message, scope));
        break;
      case 'tool':
        addResult(turns, decodeToolResult(message, scope));
        break;
      default:
        message.at('role').fail('must be "system", "developer", "user", "assistant" or "tool"');
    }
  }
  return { system, turns };
};
