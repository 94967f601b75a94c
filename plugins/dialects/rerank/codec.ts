import type { Usage } from '../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { RerankRequest } from '../../../schema/operations/rerank.ts';
import type { ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { defined } from '../wire/json/defined.ts';
import { Member } from '../wire/json/member.ts';

const id = 'rerank';

/** The members that every format can express; all others are lost. */
const known: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n', 'return_documents']);

/** A document of version 1 may be an object, of which the member `text` is ranked unless `rank_fields` says otherwise. */
const readDocument = (document: Member): string => {
  if (typeof document.value === 'string') return document.value;
  if (isJsonObject(document.value)) return document.at('text').text();
  return document.fail('must be a text, or an object with a text');
};

const readDocuments = (documents: Member): readonly string[] => {
  const items = documents.items();
  if (items.length === 0) documents.fail('must have a document');
  return items.map(readDocument);
};

const readCount = (count: Member): number | undefined => {
  const value = count.maybeNumber();
  return value === undefined || (Number.isInteger(value) && value > 0)
    ? value
    : count.fail('must be a whole number above 0');
};

const decodeRequest: ClientCodec<'rerank'>['decodeRequest'] = (body, { model }) => {
  const wire = new Member(id, '', body);
  return defined({
    model: model ?? wire.at('model').maybeText(),
    query: wire.at('query').text(),
    documents: readDocuments(wire.at('documents')),
    count: readCount(wire.at('top_n')),
    returnsDocuments: wire.at('return_documents').maybeBoolean() ?? false,
    more: Object.keys(body)
      .filter((name) => !known.has(name) && body[name] !== null)
      .map((name) => `extensions.${id}.${name}`),
  }) as RerankRequest;
};

/** Search units where the provider charges these, and its tokens otherwise. */
const encodeUsage = ({ input, calls }: Usage): JsonObject =>
  calls?.search === undefined
    ? { usage: { total_tokens: input }, meta: { tokens: { input_tokens: input } } }
    : { usage: { search_units: calls.search }, meta: { billed_units: { search_units: calls.search } } };

/** https://docs.cohere.com/reference/rerank#response: the most relevant first. */
const encodeAnswer: ClientCodec<'rerank'>['encodeAnswer'] = (ranking, { request, usage }) => ({
  object: 'list',
  results: ranking.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(request.returnsDocuments ? { document: { text: request.documents[index] ?? '' } } : {}),
  })),
  model: request.model ?? '',
  ...encodeUsage(usage),
});

/** https://docs.cohere.com/reference/rerank */
export const codec: ClientCodec<'rerank'> = { decodeRequest, encodeAnswer };
