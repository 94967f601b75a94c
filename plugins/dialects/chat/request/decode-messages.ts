import type {
  Conversation,
  Part,
  TextPart,
  ToolResultPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import { isJsonObject } from '../../../../schema/json/json.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { decodeCache } from '../../shared/parts/cache-hint.ts';
import { findExtensions } from '../../shared/parts/own-value.ts';
import { withCustomResults } from '../../shared/request/custom-results.ts';
import { withSystemPrompt } from '../../shared/request/leading-instructions.ts';
import { addResult, isResultContent } from '../../shared/request/tool-results.ts';
import { callMembers, callText } from '../parts/calls.ts';
import { withDetails } from '../parts/decode-message.ts';
import { decodeDetails } from '../parts/reasoning-details.ts';
import { signatureAt, toThought } from '../parts/thought-signature.ts';
import { decodeContent, decodeText, decodeThinking } from './decode-content.ts';

/** Instructions before all other messages are the system prompt; those further on are turns. */
export type DecodedMessages = Pick<Conversation, 'system' | 'turns'>;

const decodeSystem = (message: Member): readonly TextPart[] => {
  const content = message.at('content').required();
  if (content.absent || content.value === '') return [];
  if (typeof content.value !== 'string') return content.items().map(decodeText);
  return [defined({ kind: 'text' as const, text: content.value, cache: decodeCache(message) })];
};

const decodeInstruction = (message: Member, role: 'system' | 'developer'): Turn =>
  defined({ role, name: message.at('name').maybeText(), parts: decodeSystem(message) });

/** Reads the arguments of a call. Clients of Mistral may send an object: https://docs.mistral.ai/api */
const decodeArguments = (given: Member): string =>
  isJsonObject(given.value) ? callText(given.value) : (given.maybeText() ?? '');

const decodeToolCall = (call: Member): Part => {
  const isCustom = call.at('type').maybeText() === 'custom';
  const definition = call.at(isCustom ? 'custom' : 'function');
  return defined({
    kind: 'tool-call' as const,
    id: call.at('id').text(),
    name: definition.at('name').text(),
    arguments: isCustom ? (definition.at('input').maybeText() ?? '') : decodeArguments(definition.at('arguments')),
    input: isCustom ? ('text' as const) : undefined,
    cache: decodeCache(call),
    extensions: findExtensions(call, callMembers[isCustom ? 'custom' : 'function']),
  });
};

/** Decodes earlier audio of the model, which a client refers to by its id. */
const decodeAudio = (audio: Member): readonly Part[] =>
  audio.absent ? [] : [{ kind: 'media', media: 'audio', source: { kind: 'file', id: audio.at('id').text() } }];

/**
 * Decodes reasoning that a client sends back, in the form of compatible providers or of this gateway's non-strict answers. Details
 * include everything that is beside them.
 */
const decodeReasoning = (message: Member, scope: string): readonly Part[] => {
  const details = decodeDetails(message.object(), scope);
  if (details.length > 0) return details;
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
      ...withDetails(decodeContent(message.at('content'), scope), message.object(), []),
      ...(refusal === undefined || refusal === '' ? [] : [{ kind: 'refusal' as const, text: refusal }]),
      ...decodeAudio(message.at('audio')),
      ...message
        .at('tool_calls')
        .maybeItems()
        .flatMap((call) => [...toThought(signatureAt(call.object(), scope)), decodeToolCall(call)]),
      ...toThought(signatureAt(message.object(), scope)),
    ],
  });
};

const decodeToolResult = (message: Member, scope: string): ToolResultPart =>
  defined({
    kind: 'tool-result' as const,
    id: message.at('tool_call_id').text(),
    name: message.at('name').maybeText(),
    parts: decodeContent(message.at('content'), scope).filter(isResultContent),
    cache: decodeCache(message),
  });

/** Decodes the messages. `scope` applies to bound values that name none. */
export const decodeMessages = (messages: readonly Member[], scope: string): DecodedMessages => {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.at('role').text();
    switch (role) {
      case 'system':
      case 'developer':
        if (role === 'system' && turns.length === 0) append(system, decodeSystem(message));
        else turns.push(decodeInstruction(message, role));
        break;
      case 'user':
        turns.push(
          defined({
            role: 'user' as const,
            name: message.at('name').maybeText(),
            parts: decodeContent(message.at('content').required(), scope),
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
  return withSystemPrompt({ system, turns: withCustomResults(turns) });
};
