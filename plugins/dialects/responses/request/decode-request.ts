import type { Conversation, ReasoningRequest, Sampling } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { DecodeRequest } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { Member } from '../../shared/json/member.ts';
import { omit } from '../../shared/json/omit.ts';
import { decodeFormat } from '../../shared/request/openai-settings.ts';
import { decodeToolChoice } from '../../shared/request/openai-tool-choice.ts';
import { decodeInput } from './decode-input.ts';
import { logprobsOfText, ownIncludes } from './include.ts';
import { rejectStoredState } from './stateless.ts';
import { decodeChosenTools, decodeTool, isSpecialChoice } from './tools.ts';

/** The members that a conversation can express, or that do not affect it. All others are carried unchanged. */
const known = [
  'model',
  'instructions',
  'input',
  'tools',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'include',
  'text',
  'reasoning',
  'user',
  'service_tier',
  'prompt_cache_key',
  'stream',
  'store',
  'background',
  'previous_response_id',
  'conversation',
];

const decodeSampling = (wire: Member): Sampling =>
  defined({
    maxTokens: wire.at('max_output_tokens').maybeNumber(),
    temperature: wire.at('temperature').maybeNumber(),
    topP: wire.at('top_p').maybeNumber(),
  });

const decodeReasoning = (wire: Member): ReasoningRequest | undefined => {
  const effort = wire.at('reasoning').at('effort').maybeText();
  return effort === undefined ? undefined : { kind: 'effort', effort };
};

const decodeLogprobs = (wire: Member, included: readonly string[]): Conversation['logprobs'] => {
  const top = wire.at('top_logprobs').maybeNumber();
  if (included.includes(logprobsOfText) || (top ?? 0) > 0) return defined({ top });
  return undefined;
};

/** Reads `user`, or the newer name that OpenAI has given it. */
const decodeUser = (wire: Member): string | undefined =>
  wire.at('user').maybeText() ?? wire.at('safety_identifier').maybeText();

const textNames: ReadonlySet<string> = new Set(['format', 'verbosity']);
const reasoningNames: ReadonlySet<string> = new Set(['effort']);

const decodeExtensions = (
  wire: Member,
  included: readonly string[],
  conversation: Pick<Conversation, 'model' | 'reasoning' | 'logprobs'>,
): Conversation['extensions'] => {
  const names = [...known];
  if (!isSpecialChoice(wire.at('tool_choice').value)) names.push('tool_choice');
  if (wire.at('user').absent) names.push('safety_identifier');
  const asked = ownIncludes(conversation);
  const more = included.filter((each) => !asked.includes(each));
  const fields = defined({
    ...omit(wire.object(), new Set(names)),
    include: more.length > 0 ? more : undefined,
    text: omit(wire.at('text').maybeObject() ?? {}, textNames),
    reasoning: omit(wire.at('reasoning').maybeObject() ?? {}, reasoningNames),
  }) as JsonObject;
  return Object.keys(fields).length > 0 ? { responses: fields } : {};
};

/**
 * https://platform.openai.com/docs/api-reference/responses/create. Throws the `GatewayError` `invalid-request`, including for
 * requests that rely on a stored response.
 */
export const decodeRequest = (body: JsonObject, options: DecodeRequest): Conversation => {
  const wire = new Member('responses', '', body);
  rejectStoredState(wire);
  const stream = wire.at('stream').maybeBoolean() ?? false;
  const included = wire
    .at('include')
    .maybeItems()
    .map((item) => item.text());
  const model = wire.at('model').maybeText();
  const reasoning = decodeReasoning(wire);
  const logprobs = decodeLogprobs(wire, included);
  return defined({
    model,
    ...decodeInput(wire, options),
    tools: wire.at('tools').maybeItems().map(decodeTool),
    toolChoice: decodeToolChoice(wire, decodeChosenTools),
    sampling: decodeSampling(wire),
    stream,
    // Streams of this format always include usage.
    streamUsage: stream ? true : undefined,
    answerFormat: decodeFormat(wire.at('text').at('format')),
    reasoning,
    user: decodeUser(wire),
    serviceTier: wire.at('service_tier').maybeText(),
    logprobs,
    cacheKey: wire.at('prompt_cache_key').maybeText(),
    verbosity: wire.at('text').at('verbosity').maybeText(),
    extensions: decodeExtensions(wire, included, defined({ model, reasoning, logprobs })),
  });
};
