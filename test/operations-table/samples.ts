import type { JsonObject } from '../../schema/json/json.ts';

/** A request of a dialect and its answer, in the form that the vendor documents. */
export interface OperationSample {
  /** A provider that speaks the dialect. */
  readonly provider: string;
  /** The provider's credential, if it is not a single key. */
  readonly credential?: JsonObject;
  readonly settings?: JsonObject;
  /** The model in the path; `m` if absent. */
  readonly model?: string;
  /** Builds a request that contains a text: a form if it has a file. */
  readonly request: (text: string) => JsonObject | FormData;
  /**
   * Builds the answer: JSON or sound. It contains the text if the dialect has a place for it, and the usage if the provider
   * reports it.
   */
  readonly answer: (text: string) => JsonObject | Buffer;
}

const openai = { provider: 'openai' } as const;
const tokens = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const toForm = (fields: Readonly<Record<string, string>>, file: string): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(file, new Blob(['file']), 'a.bin');
  return form;
};

const transcribed = {
  ...openai,
  request: (text: string) => toForm({ model: 'm', prompt: text }, 'file'),
  answer: (text: string) => ({ text, usage: { type: 'tokens', input_tokens: 3, output_tokens: 2, total_tokens: 5 } }),
};

const drawn = (text: string): JsonObject => ({
  created: 1,
  data: [{ b64_json: 'AAAA', revised_prompt: text }],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});

/** The samples by dialect. Every dialect with clients has one. */
export const operationSamples: Readonly<Record<string, OperationSample>> = {
  chat: {
    ...openai,
    request: (text) => ({ model: 'm', messages: [{ role: 'user', content: text }] }),
    answer: (text) => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: tokens },
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    }),
  },
  responses: {
    ...openai,
    request: (text) => ({ model: 'm', input: text, store: false }),
    answer: (text) => ({
      ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm' },
      output: [
        {
          ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    }),
  },
  messages: {
    provider: 'anthropic',
    request: (text) => ({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: text }] }),
    answer: (text) => ({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text }],
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  },
  gemini: {
    provider: 'google',
    request: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    answer: (text) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    }),
  },
  cohere: {
    provider: 'cohere',
    request: (text) => ({ model: 'm', messages: [{ role: 'user', content: text }] }),
    answer: (text) => ({
      ...{ id: 'c', finish_reason: 'COMPLETE' },
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      usage: { tokens: { input_tokens: 3, output_tokens: 2 } },
    }),
  },
  converse: {
    provider: 'bedrock',
    settings: { cloudc_region: 'us-east-1' },
    request: (text) => ({ messages: [{ role: 'user', content: [{ text }] }] }),
    answer: (text) => ({
      output: { message: { role: 'assistant', content: [{ text }] } },
      ...{ stopReason: 'end_turn', metrics: { latencyMs: 1 } },
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    }),
  },
  completions: {
    ...openai,
    request: (text) => ({ model: 'm', prompt: text }),
    answer: (text) => ({
      ...{ id: 'c', object: 'text_completion', created: 1, model: 'm', usage: tokens },
      choices: [{ index: 0, text, logprobs: null, finish_reason: 'stop' }],
    }),
  },
  embeddings: {
    ...openai,
    request: (text) => ({ model: 'm', input: text }),
    answer: () => ({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
      ...{ model: 'm', usage: { prompt_tokens: 3, total_tokens: 3 } },
    }),
  },
  'cohere-embeddings': {
    provider: 'cohere',
    request: (text) => ({ model: 'm', texts: [text], input_type: 'search_document', embedding_types: ['float'] }),
    answer: () => ({ id: 'e', embeddings: { float: [[0.5]] }, meta: { billed_units: { input_tokens: 3 } } }),
  },
  'older-cohere-embeddings': {
    provider: 'cohere',
    request: (text) => ({ model: 'm', texts: [text], input_type: 'search_document' }),
    answer: (text) => ({
      ...{ response_type: 'embeddings_floats', id: 'e', embeddings: [[0.5]], texts: [text] },
      meta: { billed_units: { input_tokens: 3 } },
    }),
  },
  'gemini-embeddings': {
    provider: 'google',
    request: (text) => ({ requests: [{ model: 'models/m', content: { parts: [{ text }] } }] }),
    answer: () => ({ embeddings: [{ values: [0.5] }], usageMetadata: { promptTokenCount: 3 } }),
  },
  'gemini-embed-content': {
    provider: 'google',
    request: (text) => ({ content: { parts: [{ text }] } }),
    answer: () => ({ embedding: { values: [0.5] }, usageMetadata: { promptTokenCount: 3 } }),
  },
  'messages-count': {
    provider: 'anthropic',
    request: (text) => ({ model: 'm', messages: [{ role: 'user', content: text }] }),
    answer: () => ({ input_tokens: 3 }),
  },
  'responses-count': {
    ...openai,
    request: (text) => ({ model: 'm', input: text }),
    answer: () => ({ object: 'response.input_tokens', input_tokens: 3 }),
  },
  'gemini-count': {
    provider: 'google',
    request: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    answer: () => ({ totalTokens: 3 }),
  },
  'converse-count': {
    provider: 'bedrock',
    settings: { cloudc_region: 'us-east-1' },
    model: 'anthropic.claude-m',
    request: (text) => ({ input: { converse: { messages: [{ role: 'user', content: [{ text }] }] } } }),
    answer: () => ({ inputTokens: 3 }),
  },
  moderations: {
    ...openai,
    request: (text) => ({ model: 'm', input: text }),
    answer: () => ({
      ...{ id: 'modr-1', model: 'm' },
      results: [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } }],
    }),
  },
  ocr: {
    provider: 'mistral-ai',
    request: (text) => ({
      model: 'm',
      document: { type: 'document_url', document_url: 'https://a.example/b.pdf' },
      document_annotation_prompt: text,
    }),
    answer: (text) => ({
      ...{ model: 'm', usage_info: { pages_processed: 1, doc_size_bytes: 9 } },
      pages: [{ index: 0, markdown: text, images: [], dimensions: null }],
    }),
  },
  images: { ...openai, request: (text) => ({ model: 'm', prompt: text }), answer: drawn },
  rerank: {
    provider: 'cohere',
    request: (text) => ({ model: 'm', query: text, documents: ['one'] }),
    answer: () => ({
      id: 'r',
      results: [{ index: 0, relevance_score: 0.5 }],
      meta: { billed_units: { search_units: 1 } },
    }),
  },
  speech: {
    ...openai,
    request: (text) => ({ model: 'm', input: text, voice: 'alloy' }),
    answer: (text) => Buffer.from(text),
  },
  transcriptions: transcribed,
  translations: transcribed,
  'image-edits': { ...openai, request: (text) => toForm({ model: 'm', prompt: text }, 'image'), answer: drawn },
  'image-variations': { ...openai, request: () => toForm({ model: 'm' }, 'image'), answer: drawn },
};
