import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { decodeFormat } from './answer-format.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeDocument } from './documents.ts';
import { decodeReasoning } from './reasoning.ts';
import { decodeSampling } from './sampling.ts';
import { decodeTool, decodeToolChoice } from './tools.ts';

/** The members that a conversation can express; all others are carried unchanged. */
const known: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'documents',
  'tools',
  'strict_tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'p',
  'k',
  'stop_sequences',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'response_format',
  'thinking',
  'logprobs',
  'stream',
]);

/** https://docs.cohere.com/reference/chat. Throws the `GatewayError` `invalid-request`. */
export const decodeRequest = (body: JsonObject, { scope }: DecodeRequest): Conversation => {
  const wire = new Member('cohere', '', body);
  const stream = wire.at('stream').maybeBoolean() ?? false;
  const strict = wire.at('strict_tools').maybeBoolean();
  const documents = wire.at('documents').maybeItems().map(decodeDocument);
  // Citations of other providers refer to documents by number, not by name.
  const hasIds = wire
    .at('documents')
    .maybeItems()
    .some((document) => !document.at('id').absent);
  const more = omit(body, known);
  return defined({
    model: wire.at('model').maybeText(),
    ...decodeMessages(wire.at('messages').items(), documents, scope),
    tools: wire
      .at('tools')
      .maybeItems()
      .map((tool) => decodeTool(tool, strict)),
    toolChoice: decodeToolChoice(wire.at('tool_choice')),
    sampling: decodeSampling(wire),
    stream,
    // This format's streams always include usage.
    streamUsage: stream ? true : undefined,
    answerFormat: decodeFormat(wire.at('response_format')),
    reasoning: decodeReasoning(wire.at('thinking')),
    logprobs: wire.at('logprobs').maybeBoolean() === true ? {} : undefined,
    extensions: more === undefined && !hasIds ? {} : { cohere: { ...more, ...(hasIds ? { document_ids: true } : {}) } },
  });
};
