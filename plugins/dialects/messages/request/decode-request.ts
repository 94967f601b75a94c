import type {
  AnswerFormat,
  Conversation,
  Part,
  ReasoningRequest,
  Sampling,
  TextPart,
  Turn,
} from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { readClaudeThinking, specialThinking } from '../../shared/claude/read-claude-thinking.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { withCustomResults } from '../../shared/request/custom-results.ts';
import { isResult } from '../../shared/request/tool-results.ts';
import { decodeClosing } from '../parts/closing-thought.ts';
import { decodeContent, decodeText } from './decode-content.ts';
import { findCitations } from './documents.ts';
import { EndingNames, unsignedText } from './lost-endings.ts';
import { decodeTier } from './service-tier.ts';
import { decodeTool, decodeToolChoice } from './tools.ts';

/** The members that a conversation can express; all others are carried unchanged. */
const known: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'metadata',
  'output_config',
  'output_format',
  'thinking',
  'service_tier',
]);

/** Decodes a message. The results in a user's message become a separate turn, because they answer the model's calls. */
const decodeTurns = (role: 'user' | 'assistant', parts: readonly Part[]): readonly Turn[] => {
  const results = role === 'user' ? parts.filter(isResult) : [];
  if (results.length === 0) return [{ role, parts }];
  const rest = parts.filter((part) => !isResult(part));
  return [{ role: 'tool', parts: results }, ...(rest.length > 0 ? [{ role, parts: rest }] : [])];
};

/** Decodes an instruction. It may also change the tools, which no other format can express, so that is rejected. */
const decodeInstruction = (block: Member): TextPart =>
  block.at('text').absent && !block.at('type').absent
    ? block.at('type').fail('must be "text" in an instruction')
    : decodeText(block);

const decodeSystem = (system: Member): readonly TextPart[] => {
  if (system.absent || system.value === '') return [];
  return typeof system.value === 'string'
    ? [{ kind: 'text', text: system.value }]
    : system.items().map(decodeInstruction);
};

type DecodeOptions = Pick<DecodeRequest, 'scope' | 'recall'>;

/** Finds the value that closed the last text of each message of the model, if its client has lost that value. */
const lostEndings = (recall: DecodeRequest['recall'], scope: string): ((message: JsonObject) => readonly Part[]) => {
  if (recall === undefined) return () => [];
  const names = new EndingNames();
  return (message) => {
    const text = message.role === 'assistant' ? unsignedText(message.content) : undefined;
    const found = text === undefined ? undefined : recall(names.of(text));
    names.add(message);
    return typeof found?.signature === 'string' ? decodeClosing(found.signature, scope) : [];
  };
};

const decodeMessages = (wire: Member, { scope, recall }: DecodeOptions): Pick<Conversation, 'system' | 'turns'> => {
  const system = [...decodeSystem(wire.at('system'))];
  const turns: Turn[] = [];
  const lost = lostEndings(recall, scope);
  for (const message of wire.at('messages').items()) {
    const role = message.at('role').text();
    if (role === 'system' && turns.length === 0) append(system, decodeSystem(message.at('content').required()));
    else if (role === 'system') turns.push({ role, parts: decodeSystem(message.at('content').required()) });
    else if (role === 'user' || role === 'assistant')
      append(
        turns,
        decodeTurns(role, [...decodeContent(message.at('content').required(), scope), ...lost(message.object())]),
      );
    else message.at('role').fail('must be "user", "assistant" or "system"');
  }
  return { system, turns: withCustomResults(turns) };
};

const decodeSampling = (wire: Member): Sampling => {
  const stop = wire.at('stop_sequences').maybeItems();
  return defined({
    maxTokens: wire.at('max_tokens').maybeNumber(),
    temperature: wire.at('temperature').maybeNumber(),
    topP: wire.at('top_p').maybeNumber(),
    topK: wire.at('top_k').maybeNumber(),
    stop: stop.length > 0 ? stop.map((item) => item.text()) : undefined,
  });
};

/**
 * Decodes `output_config.format`, or `output_format`, its name in the beta before it:
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs
 */
const decodeFormat = (wire: Member): AnswerFormat | undefined => {
  const current = wire.at('output_config').at('format');
  const format = current.absent ? wire.at('output_format') : current;
  return format.absent ? undefined : { kind: 'schema', schema: format.at('schema').maybeObject() ?? {} };
};

const specialOutput = (wire: Member, reasoning: ReasoningRequest | undefined): JsonObject | undefined => {
  const names = reasoning?.kind === 'effort' ? ['format', 'effort'] : ['format'];
  return omit(wire.at('output_config').maybeObject() ?? {}, new Set(names));
};

const userId: ReadonlySet<string> = new Set(['user_id']);

const decodeExtensions = (wire: Member, reasoning: ReasoningRequest | undefined): Conversation['extensions'] => {
  const fields = defined({
    ...omit(wire.object(), known),
    metadata: omit(wire.at('metadata').maybeObject() ?? {}, userId),
    output_config: specialOutput(wire, reasoning),
    thinking: specialThinking(wire),
    citations: findCitations(wire.at('messages')),
  }) as JsonObject;
  return Object.keys(fields).length > 0 ? { messages: fields } : {};
};

/** https://docs.anthropic.com/en/api/messages. Throws the `GatewayError` `invalid-request`, with paths under `path`. */
export const decodeRequest = (body: JsonObject, options: DecodeRequest, path = ''): Conversation => {
  const wire = new Member('messages', path, body);
  const stream = wire.at('stream').maybeBoolean() ?? false;
  const reasoning = readClaudeThinking(wire);
  return defined({
    model: wire.at('model').maybeText(),
    ...decodeMessages(wire, options),
    tools: wire.at('tools').maybeItems().map(decodeTool),
    toolChoice: decodeToolChoice(wire.at('tool_choice')),
    sampling: decodeSampling(wire),
    stream,
    // This format's streams always include usage.
    streamUsage: stream ? true : undefined,
    answerFormat: decodeFormat(wire),
    reasoning,
    serviceTier: decodeTier(wire.at('service_tier').maybeText()),
    user: wire.at('metadata').at('user_id').maybeText(),
    extensions: decodeExtensions(wire, reasoning),
  });
};
