import type { Conversation, ReasoningRequest } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { decodeFormat } from '../../shared/request/openai-settings.ts';
import { decodeToolChoice } from '../../shared/request/openai-tool-choice.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeSampling } from './decode-sampling.ts';
import { withoutLegacyFunctions } from './legacy-functions.ts';
import { decodeOptions, optionNames } from './options.ts';
import { decodeChosenTools, decodeTool, isSpecialChoice } from './tools.ts';

/** The members that a conversation can express; all others are carried unchanged. */
const known: readonly string[] = [
  'model',
  'messages',
  'tools',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'stream',
  'response_format',
  'thinking',
  ...optionNames,
];

/** Decodes how to reason. `thinking` is more specific than `reasoning_effort`, so it takes precedence. */
const decodeReasoning = (wire: Member): ReasoningRequest | undefined => {
  const thinking = wire.at('thinking');
  if (!thinking.absent) {
    const tokens = thinking.at('budget_tokens').maybeNumber();
    if (thinking.at('type').maybeText() === 'disabled') return { kind: 'off' };
    return tokens === undefined ? { kind: 'adaptive' } : { kind: 'budget', tokens };
  }
  const effort = wire.at('reasoning_effort').maybeText();
  return effort === undefined ? undefined : { kind: 'effort', effort };
};

const usageName: ReadonlySet<string> = new Set(['include_usage']);

const decodeExtensions = (wire: Member): Conversation['extensions'] => {
  const names = [...known];
  if (wire.at('thinking').absent) names.push('reasoning_effort');
  if (!isSpecialChoice(wire.at('tool_choice').value)) names.push('tool_choice');
  const options = omit(wire.at('stream_options').maybeObject() ?? {}, usageName);
  const rest = omit(wire.object(), new Set([...names, 'stream_options']));
  if (rest === undefined && options === undefined) return {};
  return { chat: { ...rest, ...(options === undefined ? {} : { stream_options: options }) } };
};

/** https://platform.openai.com/docs/api-reference/chat/create. Throws the `GatewayError` `invalid-request`. */
export const decodeRequest = (body: JsonObject, { scope }: DecodeRequest): Conversation => {
  const wire = new Member('chat', '', withoutLegacyFunctions(body));
  return defined({
    model: wire.at('model').maybeText(),
    ...decodeMessages(wire.at('messages').items(), scope),
    tools: wire.at('tools').maybeItems().map(decodeTool),
    toolChoice: decodeToolChoice(wire, decodeChosenTools),
    sampling: decodeSampling(wire),
    stream: wire.at('stream').maybeBoolean() ?? false,
    streamUsage: wire.at('stream_options').at('include_usage').maybeBoolean(),
    answerFormat: decodeFormat(wire.at('response_format'), 'json_schema'),
    reasoning: decodeReasoning(wire),
    ...decodeOptions(wire),
    extensions: decodeExtensions(wire),
  });
};
