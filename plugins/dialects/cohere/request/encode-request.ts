import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { withOwnMembers } from '../../shared/request/own-members.ts';
import { encodeFormat } from './answer-format.ts';
import { encodeMessages } from './encode-messages.ts';
import { ownMembers } from './own-members.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeSampling } from './sampling.ts';
import { encodeTools } from './tools.ts';

/** Members of a conversation that the API cannot express. */
const unsaid = ['user', 'serviceTier', 'modalities', 'audio', 'cacheKey', 'verbosity'] as const;

/**
 * Merges the client's own fields into a body. They take precedence, but the documents of turns are kept beside those of the
 * request.
 */
const withOwn = (body: JsonObject, own: JsonObject): JsonObject => {
  const { documents: ours } = body;
  const { documents: theirs } = own;
  const joined = Array.isArray(ours) && Array.isArray(theirs) ? { documents: [...ours, ...theirs] } : {};
  return { ...body, ...own, ...joined };
};

/** https://docs.cohere.com/reference/chat */
export const encodeRequest = (asked: Conversation, target: EncodeTarget): EncodedRequest => {
  const conversation = withOwnMembers(asked, 'cohere', ownMembers);
  const lost: Lost = [];
  const { model, sampling, stream, streamUsage, answerFormat, logprobs, extensions } = conversation;
  recordLosses(conversation, unsaid, { lost });
  if (streamUsage !== (stream ? true : undefined)) lost.push('streamUsage');
  if (logprobs?.top !== undefined) lost.push('logprobs.top');
  const { messages, documents } = encodeMessages(conversation, lost);
  const body = defined({
    model,
    messages,
    documents: documents.length > 0 ? documents : undefined,
    ...encodeTools(conversation, lost),
    ...encodeSampling(sampling, lost),
    response_format: encodeFormat(answerFormat, lost),
    thinking: encodeReasoning(conversation, lost),
    logprobs: logprobs === undefined ? undefined : true,
    stream: stream ? true : undefined,
  }) as JsonObject;
  const { document_ids: hadIds, ...own } = extensions.cohere ?? {};
  if (hadIds !== undefined) lost.push('extensions.cohere.document_ids');
  return finishRequest('cohere', withOwn(body, own), { conversation, target, lost });
};
