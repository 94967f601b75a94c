import type { JsonObject } from '../../../schema/json/json.ts';

export interface SampleBodies {
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

const chatTurns = [{ role: 'user', content: 'Hi.' }];
const chatAnswer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' } }] };

/** The bodies for dialects with conversations and texts. */
const said = {
  chat: { request: { messages: chatTurns }, answer: chatAnswer },
  completions: { request: { prompt: 'Hi.' }, answer: { choices: [{ index: 0, text: 'Hi.' }] } },
  embeddings: { request: { input: 'Hi.' }, answer: { data: [] } },
  speech: { request: { input: 'Hi.' }, answer: {} },
  transcriptions: { request: { prompt: 'Hi.' }, answer: { text: 'Hi.' } },
  translations: { request: { prompt: 'Hi.' }, answer: { text: 'Hi.' } },
  'image-edits': { request: { prompt: 'Hi.' }, answer: { data: [] } },
  'image-variations': { request: { prompt: 'Hi.' }, answer: { data: [] } },
  rerank: {
    request: { query: 'Hi.', documents: ['Hello.'] },
    answer: { results: [{ index: 0, relevance_score: 0.5 }] },
  },
  moderations: {
    request: { input: 'Hi.' },
    answer: { results: [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.1 } }] },
  },
  ocr: {
    request: {
      document: { type: 'document_url', document_url: 'https://example.com/a.pdf' },
      document_annotation_prompt: 'Hi.',
    },
    answer: { pages: [{ index: 0, markdown: 'Hi.' }] },
  },
  images: { request: { prompt: 'Hi.' }, answer: { data: [{ revised_prompt: 'Hi.' }] } },
  responses: {
    request: { input: 'Hi.' },
    answer: { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }] },
  },
  messages: { request: { messages: chatTurns }, answer: { content: [{ type: 'text', text: 'Hi.' }] } },
  gemini: {
    request: { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] },
    answer: { candidates: [{ content: { parts: [{ text: 'Hi.' }] } }] },
  },
  cohere: {
    request: { messages: chatTurns },
    answer: { message: { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] } },
  },
  converse: {
    request: { messages: [{ role: 'user', content: [{ text: 'Hi.' }] }] },
    answer: { output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } } },
  },
} as const satisfies Readonly<Record<string, SampleBodies>>;

/** A request and an answer with some text for each dialect, to which members are added. A count is answered with a number. */
export const sampleBodies: Readonly<Record<string, SampleBodies>> = {
  ...said,
  'converse-count': { request: { input: { converse: said.converse.request } }, answer: {} },
  'gemini-count': { request: said.gemini.request, answer: {} },
  'messages-count': { request: said.messages.request, answer: {} },
  'responses-count': { request: said.responses.request, answer: {} },
};
