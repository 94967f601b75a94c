import type { Usage } from '../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import type { RerankRequest } from '../../../schema/operations/rerank.ts';
import type { ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';

const id = 'rerank';

/** The members that every format can express. All others are lost. */
const known: ReadonlySet<string> = new Set([
  ...['model', 'query', 'documents', 'top_n', 'return_documents', 'rank_fields'],
]);

/** Reads the fields of version 1, in which a document may be an object: https://docs.cohere.com/v1/reference/rerank */
const readFields = (fields: Member): readonly string[] =>
  fields.absent ? ['text'] : fields.items().map((field) => field.text());

const readDocument = (document: Member, fields: readonly string[]): string => {
  if (typeof document.value === 'string') return document.value;
  if (!isJsonObject(document.value)) return document.fail('must be a text, or an object with a text');
  const texts = fields.flatMap((field) => document.at(field).maybeText() ?? []);
  if (texts.length > 0) return texts.join('\n');
  return document.fail(`must contain at least one of the ranked fields: ${fields.join(', ')}`);
};

const readDocuments = (documents: Member): readonly Member[] => {
  const items = documents.items();
  return items.length === 0 ? documents.fail('must have a document') : items;
};

const readCount = (count: Member): number | undefined => {
  const value = count.maybeNumber();
  return value === undefined || (Number.isInteger(value) && value > 0)
    ? value
    : count.fail('must be a whole number above 0');
};

/** Returns the document of a result: the text, or all fields of a document that is an object. */
const asRepeated = ({ value }: Member, text: string): JsonObject => (isJsonObject(value) ? value : { text });

const decodeRequest: ClientCodec<'rerank'>['decodeRequest'] = (body, { model }) => {
  const wire = new Member(id, '', body);
  const given = readDocuments(wire.at('documents'));
  const fields = readFields(wire.at('rank_fields'));
  const documents = given.map((document) => readDocument(document, fields));
  const isRepeated = wire.at('return_documents').maybeBoolean() ?? false;
  return defined({
    model: model ?? wire.at('model').maybeText(),
    query: wire.at('query').text(),
    documents,
    count: readCount(wire.at('top_n')),
    repeated: isRepeated ? given.map((document, at) => asRepeated(document, documents[at] ?? '')) : undefined,
    more: Object.keys(body)
      .filter((name) => !known.has(name) && body[name] !== null)
      .map((name) => `extensions.${id}.${name}`),
  }) as RerankRequest;
};

/** Writes search units if the provider charges by these, as Cohere does, and tokens otherwise, like services that follow it. */
const encodeUsage = ({ input, calls }: Usage): JsonObject =>
  calls?.search === undefined
    ? { usage: { prompt_tokens: input, total_tokens: input }, meta: { tokens: { input_tokens: input } } }
    : { usage: { search_units: calls.search }, meta: { billed_units: { search_units: calls.search } } };

/** https://docs.cohere.com/reference/rerank#response: the most relevant document comes first. */
const encodeAnswer: ClientCodec<'rerank'>['encodeAnswer'] = (ranking, { request: { model, repeated }, usage }) => ({
  object: 'list',
  results: ranking.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(repeated === undefined ? {} : { document: repeated[index] ?? {} }),
  })),
  model: model ?? '',
  ...encodeUsage(usage),
});

/** https://docs.cohere.com/reference/rerank */
export const codec: ClientCodec<'rerank'> = { decodeRequest, encodeAnswer };
