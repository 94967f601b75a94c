import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { EmbeddingPurpose, EmbeddingRequest } from '../../../schema/operations/embedding.ts';
import type { AnsweredOperation, ClientCodec } from '../../sdk/dialect/operation-codec.ts';
import { defined } from '../shared/json/defined.ts';
import { Member } from '../shared/json/member.ts';
import { toBase64 } from '../shared/split-lists/base64-vector.ts';
import { purposeOf } from './input-types.ts';

/** The members that every format can express. All others are lost. */
const known: ReadonlySet<string> = new Set([
  ...['model', 'texts', 'inputs', 'images', 'input_type', 'embedding_types', 'output_dimension'],
]);

const foreign = 'only a provider of this format';

/** Reads an input of mixed content, which must be one text here: https://docs.cohere.com/reference/embed#request.body.inputs */
const readInput = (input: Member): string => {
  const texts = input
    .at('content')
    .items()
    .map((part) =>
      part.at('type').text() === 'text'
        ? part.at('text').text()
        : part.at('type').fail(`must be text: ${foreign} can read images`),
    );
  return texts.length === 1 ? (texts[0] ?? '') : input.at('content').fail('must have one text');
};

const readTexts = (wire: Member): readonly string[] => {
  if (!wire.at('images').absent) wire.at('images').fail(`must be left out: ${foreign} can read images`);
  const texts = wire.at('texts').absent
    ? wire.at('inputs').maybeItems().map(readInput)
    : wire
        .at('texts')
        .items()
        .map((text) => text.text());
  return texts.length > 0 ? texts : wire.at('texts').fail('must have a text');
};

const readPurpose = (type: Member): EmbeddingPurpose | undefined => {
  const word = type.maybeText();
  if (word === undefined) return undefined;
  return purposeOf(word) ?? type.fail('must be search_document, search_query, classification or clustering');
};

type VectorType = 'float' | 'base64';

const isVectorType = (type: string): type is VectorType => type === 'float' || type === 'base64';

/** Returns the types that the client wants. Types with fewer bits are produced by the model itself. */
const readTypes = (types: Member): readonly VectorType[] =>
  types.maybeItems().map((item) => {
    const type = item.text();
    return isVectorType(type) ? type : item.fail(`must be float or base64: ${foreign} returns the others`);
  });

const decodeRequest =
  (id: string): ClientCodec<'embed'>['decodeRequest'] =>
  (body, { model }) => {
    const wire = new Member(id, '', body);
    readTypes(wire.at('embedding_types'));
    return defined({
      model: model ?? wire.at('model').maybeText(),
      texts: readTexts(wire),
      dimensions: wire.at('output_dimension').maybeNumber(),
      purpose: readPurpose(wire.at('input_type')),
      more: Object.keys(body)
        .filter((name) => !known.has(name) && body[name] !== null)
        .map((name) => `extensions.${id}.${name}`),
    }) as EmbeddingRequest;
  };

type Vectors = readonly (readonly number[])[];

const ofType: Readonly<Record<VectorType, (vectors: Vectors) => Json>> = {
  float: (vectors) => vectors.map((vector) => [...vector]),
  base64: (vectors) => vectors.map(toBase64),
};

const byType = (vectors: Vectors, types: readonly VectorType[]): JsonObject =>
  Object.fromEntries(types.map((type) => [type, ofType[type](vectors)]));

const toMeta = ({ usage }: AnsweredOperation<'embed'>, version: string): JsonObject => ({
  api_version: { version },
  billed_units: { input_tokens: usage.input },
});

const typesOf = (id: string, { body }: AnsweredOperation<'embed'>): readonly VectorType[] =>
  readTypes(new Member(id, '', body).at('embedding_types'));

/** Version 2, in which vectors are always listed by type: https://docs.cohere.com/reference/embed */
export const clientCodec: ClientCodec<'embed'> = {
  decodeRequest: decodeRequest('cohere-embeddings'),
  encodeAnswer(vectors, asked) {
    const types = typesOf('cohere-embeddings', asked);
    return {
      id: randomUUID(),
      response_type: 'embeddings_by_type',
      embeddings: byType(vectors, types.length === 0 ? ['float'] : types),
      texts: asked.request.texts,
      meta: toMeta(asked, '2'),
    };
  },
};

/** Version 1, in which vectors are one list if a client names no types: https://docs.cohere.com/v1/reference/embed */
export const olderClientCodec: ClientCodec<'embed'> = {
  decodeRequest: decodeRequest('older-cohere-embeddings'),
  encodeAnswer(vectors, asked) {
    const types = typesOf('older-cohere-embeddings', asked);
    const isTyped = types.length > 0;
    return {
      id: randomUUID(),
      response_type: isTyped ? 'embeddings_by_type' : 'embeddings_floats',
      embeddings: isTyped ? byType(vectors, types) : ofType.float(vectors),
      texts: asked.request.texts,
      meta: toMeta(asked, '1'),
    };
  },
};
