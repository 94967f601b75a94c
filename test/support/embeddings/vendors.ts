import { expect } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects, toTexts } from '../../../schema/json/loose.ts';

/** A vector that tells its text from others, of numbers that 32 bits hold. */
export const vectorOf = (text: string): readonly number[] => [text.length, (text.codePointAt(0) ?? 0) / 256, -0.5];

/** A provider as it documents itself: which members it takes, and its answer to them. */
export interface Vendor {
  readonly provider: string;
  readonly settings?: JsonObject;
  readonly base: string;
  readonly path: string;
  readonly header: string;
  readonly members: readonly string[];
  /** The most texts of one request; absent where it states none. */
  readonly maxTexts?: number;
  texts(body: JsonObject): readonly string[];
  /** `body` is the request, where its answer depends on more than its texts. */
  answer(texts: readonly string[], tokens: number | undefined, body?: JsonObject): JsonObject;
}

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const google: Vendor = {
  provider: 'google',
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

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const openai: Vendor = {
  provider: 'openai',
  base: '/v1',
  path: '/v1/embeddings',
  header: 'authorization',
  maxTexts: 2048,
  members: ['model', 'input', 'encoding_format', 'dimensions', 'user'],
  texts: ({ input }) => (typeof input === 'string' ? [input] : toTexts(input)),
  answer: (texts, tokens, body) => ({
    object: 'list',
    data: texts.map((text, index) => ({
      object: 'embedding',
      index,
      embedding:
        body?.encoding_format === 'base64'
          ? Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64')
          : [...vectorOf(text)],
    })),
    model: 'embedder-1',
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  }),
};
