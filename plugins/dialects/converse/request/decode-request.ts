import type { Conversation, Sampling, Turn } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { withCustomResults } from '../../shared/request/custom-results.ts';
import { withSystemPrompt } from '../../shared/request/leading-instructions.ts';
import { isResult } from '../../shared/request/tool-results.ts';
import { decodeTextFormat } from './answer-format.ts';
import { decodeContent, decodeSystem } from './decode-content.ts';
import { type DecodedFields, decodeFields } from './decode-fields.ts';
import { decodeToolChoice, decodeTools } from './tools.ts';

/** The members that a conversation can express, at least in part. All others are carried unchanged. */
const known: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'additionalModelRequestFields',
  'outputConfig',
  'serviceTier',
]);

const samplingNames: ReadonlySet<string> = new Set(['maxTokens', 'temperature', 'topP', 'stopSequences']);
const toolNames: ReadonlySet<string> = new Set(['tools', 'toolChoice']);

const decodeRole = (role: Member): 'user' | 'assistant' | 'system' => {
  const name = role.text();
  return name === 'user' || name === 'assistant' || name === 'system'
    ? name
    : role.fail('must be "user", "assistant" or "system"');
};

/** Decodes a message. The results in a user's message become a separate turn, because they answer the model's calls. */
const decodeTurns = (message: Member, scope: string): readonly Turn[] => {
  const role = decodeRole(message.at('role'));
  const parts = decodeContent(message.at('content'), { isModel: role === 'assistant', scope });
  const results = parts.filter(isResult);
  if (results.length === 0) return [{ role, parts }];
  const rest = parts.filter((part) => !isResult(part));
  return [{ role: 'tool', parts: results }, ...(rest.length > 0 ? [{ role, parts: rest }] : [])];
};

const decodeSampling = (config: Member, { topK }: DecodedFields): Sampling => {
  const stop = config.at('stopSequences').maybeItems();
  return defined({
    maxTokens: config.at('maxTokens').maybeNumber(),
    temperature: config.at('temperature').maybeNumber(),
    topP: config.at('topP').maybeNumber(),
    topK,
    stop: stop.length > 0 ? stop.map((item) => item.text()) : undefined,
  });
};

const takeRest = (wire: Member, names: ReadonlySet<string>): JsonObject | undefined =>
  omit(wire.maybeObject() ?? {}, names);

/** Returns `citations` if a document or a search result of the messages enables them, so that the model cites its sources. */
const findCitations = (messages: readonly Member[]): JsonObject | undefined => {
  const isCiting = (block: Member): boolean =>
    ['document', 'searchResult'].some((kind) => block.at(kind).at('citations').at('enabled').value === true);
  return messages.some((message) => message.at('content').maybeItems().some(isCiting)) ? { enabled: true } : undefined;
};

const decodeExtensions = (wire: Member, { rest }: DecodedFields, hasEffort: boolean): Conversation['extensions'] => {
  const outputNames = new Set(hasEffort ? ['textFormat', 'effort'] : ['textFormat']);
  const fields: JsonObject = defined({
    ...omit(wire.object(), known),
    inferenceConfig: takeRest(wire.at('inferenceConfig'), samplingNames),
    toolConfig: takeRest(wire.at('toolConfig'), toolNames),
    outputConfig: takeRest(wire.at('outputConfig'), outputNames),
    additionalModelRequestFields: rest,
    citations: findCitations(wire.at('messages').maybeItems()),
  });
  return Object.keys(fields).length > 0 ? { converse: fields } : {};
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html. The path contains the model and specifies
 * whether the answer is a stream. Throws the `GatewayError` `invalid-request`, with paths under `path`.
 */
export const decodeRequest = (
  body: JsonObject,
  { scope, model, stream = false }: DecodeRequest,
  path = '',
): Conversation => {
  const wire = new Member('converse', path, body);
  const messages = wire.at('messages').maybeItems();
  const tools = wire.at('toolConfig');
  const fields = decodeFields(wire.at('additionalModelRequestFields'));
  const effort = wire.at('outputConfig').at('effort').maybeText();
  const isEffort = effort !== undefined && fields.reasoning === undefined;
  return defined({
    model,
    ...withSystemPrompt({
      system: decodeSystem(wire.at('system')),
      turns: withCustomResults(messages.flatMap((message) => decodeTurns(message, scope))),
    }),
    tools: decodeTools(tools.at('tools')),
    toolChoice: decodeToolChoice(tools.at('toolChoice')),
    sampling: decodeSampling(wire.at('inferenceConfig'), fields),
    stream,
    // This format's streams always include usage.
    streamUsage: stream ? true : undefined,
    answerFormat: decodeTextFormat(wire.at('outputConfig').at('textFormat')) ?? fields.answerFormat,
    reasoning: isEffort ? { kind: 'effort' as const, effort } : fields.reasoning,
    user: fields.user,
    serviceTier: wire.at('serviceTier').at('type').maybeText(),
    extensions: decodeExtensions(wire, fields, isEffort),
  });
};
