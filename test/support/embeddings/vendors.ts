import { expect } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects, toTexts } from '../../../schema/json/loose.ts';

/** A vector that distinguishes its text from others, with numbers that fit in 32 bits. */
export const vectorOf = (text: string): readonly number[] => [text.length, (text.codePointAt(0) ?? 0) / 256, -0.5];

/** A provider as its documentation describes it: the members that it accepts, and its answer to them. */
export interface Vendor {
  readonly provider: string;
  /** Defaults to `embedder-1`. */
  readonly model?: string;
  /** The member that states that vectors are for queries, and the one for their length. Absent if there is none. */
  readonly query?: RegExp;
  readonly dimensions?: RegExp;
  readonly settings?: JsonObject;
  readonly base: string;
  readonly path: string;
  readonly header: string;
  readonly members: readonly string[];
  /** Set if its answers contain no usage. */
  readonly unmetered?: true;
  /** The maximum number of texts in a request. Absent if it has no limit. */
  readonly maxTexts?: number;
  texts(body: JsonObject): readonly string[];
  /** `body` is the request, if the answer depends on more than its texts. */
  answer(texts: readonly string[], tokens: number | undefined, body?: JsonObject): JsonObject;
}

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const google: Vendor = {
  provider: 'google',
  query: /"taskType":"RETRIEVAL_QUERY"/,
  dimensions: /"outputDimensionality":3/,
  base: '/v1beta',
  path: '/v1beta/models/embedder-1:batchEmbedContents',
  header: 'x-goog-api-key',
  members: ['requests'],
  maxTexts: 100,
  texts: ({ requests }) =>
    toObjects(requests).map(({ content, model, ...settings }) => {
      expect(model).toBe('models/embedder-1');
      expect(['taskType', 'title', 'outputDimensionality']).toEqual(expect.arrayContaining(Object.keys(settings)));
      return findText(toObjects(findObject(content)?.parts)[0]?.text) ?? '';
    }),
  answer: (texts, tokens) => ({
    embeddings: texts.map((text) => ({ values: [...vectorOf(text)] })),
    ...(tokens === undefined ? {} : { usageMetadata: { promptTokenCount: tokens, totalTokenCount: tokens } }),
  }),
};

/** https://docs.cohere.com/reference/embed */
export const cohere: Vendor = {
  provider: 'cohere',
  query: /"input_type":"search_query"/,
  dimensions: /"output_dimension":3/,
  base: '',
  path: '/v2/embed',
  header: 'authorization',
  maxTexts: 96,
  members: ['model', 'texts', 'input_type', 'embedding_types', 'output_dimension'],
  texts(body) {
    expect(body).toMatchObject({ model: 'embedder-1', embedding_types: ['float'], input_type: expect.any(String) });
    return toTexts(body.texts);
  },
  answer: (texts, tokens) => ({
    ...{ id: 'e-1', texts: [...texts], response_type: 'embeddings_by_type' },
    embeddings: { float: texts.map((text) => [...vectorOf(text)]) },
    meta: {
      api_version: { version: '2' },
      ...(tokens === undefined ? {} : { billed_units: { input_tokens: tokens } }),
    },
  }),
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertex: Vendor = {
  provider: 'vertex-ai',
  query: /"task_type":"RETRIEVAL_QUERY"/,
  dimensions: /"outputDimensionality":3/,
  settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' },
  base: '',
  path: '/v1/projects/acme/locations/europe-west4/publishers/google/models/embedder-1:predict',
  header: 'authorization',
  members: ['instances', 'parameters'],
  maxTexts: 250,
  texts: ({ instances }) =>
    toObjects(instances).map(({ content, ...settings }) => {
      expect(['task_type', 'title']).toEqual(expect.arrayContaining(Object.keys(settings)));
      return findText(content) ?? '';
    }),
  answer: (texts, tokens) => ({
    predictions: texts.map((text, at) => ({
      embeddings: {
        values: [...vectorOf(text)],
        ...(tokens === undefined ? {} : { statistics: { token_count: at === 0 ? tokens : 0, truncated: false } }),
      },
    })),
  }),
};

const multimodal = 'multimodalembedding@001';

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-embeddings-api */
const vertexMultimodal: Vendor = {
  provider: 'vertex-ai',
  model: multimodal,
  dimensions: /"dimension":3/,
  settings: { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' },
  base: '',
  path: `/v1/projects/acme/locations/europe-west4/publishers/google/models/${encodeURIComponent(multimodal)}:predict`,
  header: 'authorization',
  members: ['instances', 'parameters'],
  unmetered: true,
  maxTexts: 1,
  texts: ({ instances }) =>
    toObjects(instances).map(({ text, ...media }) => {
      expect(['image', 'video']).toEqual(expect.arrayContaining(Object.keys(media)));
      return findText(text) ?? '';
    }),
  answer: ([text = '']) => ({ predictions: [{ textEmbedding: [...vectorOf(text)] }] }),
};

const base64 = (text: string): string => Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64');

/** Creates a service that follows OpenAI. `encoding` is its member that requests base64. */
const openaiLike = (
  provider: string,
  { encoding = 'encoding_format', ...own }: Partial<Vendor> & { readonly encoding?: string },
): Vendor => ({
  provider,
  base: '/v1',
  path: '/v1/embeddings',
  header: 'authorization',
  members: ['model', 'input', 'encoding_format', 'dimensions', 'user'],
  dimensions: /"dimensions":3/,
  texts: ({ input }) => (typeof input === 'string' ? [input] : toTexts(input)),
  answer: (texts, tokens, body) => ({
    object: 'list',
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: body?.[encoding] === 'base64' ? base64(text) : [...vectorOf(text)],
    })),
    model: 'embedder-1',
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  }),
  ...own,
});

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const openai: Vendor = openaiLike('openai', { maxTexts: 2048 });

/** https://docs.voyageai.com/reference/embeddings-api */
const voyage: Vendor = openaiLike('voyage', {
  maxTexts: 1000,
  members: ['model', 'input', 'input_type', 'truncation', 'output_dimension', 'output_dtype', 'encoding_format'],
  query: /"input_type":"query"/,
  dimensions: /"output_dimension":3/,
  texts(body) {
    expect([undefined, 'base64']).toContain(body.encoding_format);
    return typeof body.input === 'string' ? [body.input] : toTexts(body.input);
  },
});

/** https://api.jina.ai/docs */
const jina: Vendor = openaiLike('jina', {
  encoding: 'embedding_type',
  members: ['model', 'input', 'task', 'dimensions', 'late_chunking', 'embedding_type', 'normalized', 'truncate'],
  query: /"task":"retrieval\.query"/,
});

/** https://docs.mistral.ai/api/endpoint/embeddings */
const mistral: Vendor = openaiLike('mistral-ai', {
  members: ['model', 'input', 'encoding_format', 'output_dimension', 'output_dtype', 'metadata'],
  dimensions: /"output_dimension":3/,
});

/** https://docs.nvidia.com/nim/nemo-retriever/text-embedding/latest/reference.html */
const nvidia: Vendor = openaiLike('nvidia', {
  members: ['model', 'input', 'input_type', 'encoding_format', 'truncate', 'dimensions', 'user'],
  query: /"input_type":"query"/,
  texts(body) {
    expect(['query', 'passage']).toContain(body.input_type);
    return typeof body.input === 'string' ? [body.input] : toTexts(body.input);
  },
});

/** https://docs.nomic.ai/reference/endpoints/nomic-embed-text */
export const nomic: Vendor = {
  provider: 'nomic',
  base: '/v1',
  path: '/v1/embedding/text',
  header: 'authorization',
  members: ['model', 'texts', 'task_type', 'dimensionality'],
  query: /"task_type":"search_query"/,
  dimensions: /"dimensionality":3/,
  texts: (body) => toTexts(body.texts),
  answer: (texts, tokens) => ({
    embeddings: texts.map((text) => [...vectorOf(text)]),
    model: 'embedder-1',
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  }),
};

const onBedrock = { provider: 'bedrock', base: '', header: 'authorization' } as const;

const invokePath = (model: string): string => `/model/${encodeURIComponent(model)}/invoke`;

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const titan: Vendor = {
  ...onBedrock,
  model: 'amazon.titan-embed-text-v2:0',
  path: invokePath('amazon.titan-embed-text-v2:0'),
  maxTexts: 1,
  members: ['inputText', 'dimensions', 'normalize', 'embeddingTypes'],
  dimensions: /"dimensions":3/,
  texts: ({ inputText }) => [findText(inputText) ?? 'no text'],
  answer: ([text = ''], tokens) => ({
    embedding: [...vectorOf(text)],
    ...(tokens === undefined ? {} : { inputTextTokenCount: tokens }),
  }),
};

/** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html */
const nova: Vendor = {
  ...onBedrock,
  model: 'amazon.nova-2-multimodal-embeddings-v1:0',
  path: invokePath('amazon.nova-2-multimodal-embeddings-v1:0'),
  maxTexts: 1,
  unmetered: true,
  members: ['schemaVersion', 'taskType', 'singleEmbeddingParams'],
  query: /"embeddingPurpose":"TEXT_RETRIEVAL"/,
  dimensions: /"embeddingDimension":3/,
  texts(body) {
    const parameters = findObject(body.singleEmbeddingParams);
    expect(parameters?.embeddingPurpose).toMatch(/^[A-Z_]+$/);
    return [findText(findObject(parameters?.text)?.value) ?? 'no text'];
  },
  answer: ([text = '']) => ({ embeddings: [{ embeddingType: 'TEXT', embedding: [...vectorOf(text)] }] }),
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html */
const cohereOnBedrock: Vendor = {
  ...onBedrock,
  model: 'us.cohere.embed-v4:0',
  path: invokePath('us.cohere.embed-v4:0'),
  unmetered: true,
  maxTexts: 96,
  members: ['texts', 'input_type', 'embedding_types', 'output_dimension', 'truncate', 'max_tokens'],
  query: /"input_type":"search_query"/,
  dimensions: /"output_dimension":3/,
  texts: (body) => toTexts(body.texts),
  answer: (texts) => ({
    ...{ id: 'e-1', texts: [...texts], response_type: 'embeddings_by_type' },
    embeddings: { float: texts.map((text) => [...vectorOf(text)]) },
  }),
};

/** All vendors. */
export const vendors: readonly Vendor[] = [
  ...[google, cohere, vertex, vertexMultimodal, openai, voyage, jina, mistral, nvidia, nomic],
  ...[titan, nova, cohereOnBedrock],
];

/** Returns a vendor's answer to a request: 400 if it has undocumented members or more texts than allowed. */
export const vendorAnswer = (
  vendor: Vendor,
  body: JsonObject,
): { readonly status: number; readonly json: JsonObject; readonly texts: readonly string[] } => {
  const unknown = Object.keys(body).filter((name) => !vendor.members.includes(name));
  const refused = (message: string) => ({ status: 400, json: { error: { message }, message }, texts: [] });
  if (unknown.length > 0) return refused(`unknown ${unknown}`);
  const texts = vendor.texts(body);
  if (texts.length > (vendor.maxTexts ?? Number.POSITIVE_INFINITY)) return refused('too many');
  return { status: 200, json: vendor.answer(texts, texts.length, body), texts };
};
