import type { JsonObject } from '../../../schema/json/json.ts';

export interface SampleBodies {
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

const chatTurns = [{ role: 'user', content: 'Hi.' }];
const chatAnswer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' } }] };

/** By dialect: a request and an answer that say something, to which members are added. */
export const sampleBodies: Readonly<Record<string, SampleBodies>> = {
  chat: { request: { messages: chatTurns }, answer: chatAnswer },
  completions: { request: { prompt: 'Hi.' }, answer: { choices: [{ index: 0, text: 'Hi.' }] } },
  embeddings: { request: { input: 'Hi.' }, answer: { data: [] } },
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
};
