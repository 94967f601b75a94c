import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { dataFrames, namedFrames, type Speaker } from './speaker.ts';

const api_key = 'sk-caller';

/** https://docs.anthropic.com/en/api/messages */
export const messagesSpeaker: Speaker = {
  dialect: 'messages',
  target: { provider: 'anthropic', api_key },
  origin: 'https://api.anthropic.com',
  framing: 'sse',
  request: (text, model) => ({ model, max_tokens: 9, messages: [{ role: 'user', content: text }] }),
  route: () => ({ operation: 'converse', dialect: 'messages' }),
  answer: (text) => anthropicAnswer({ text }),
  frames: (text) =>
    namedFrames([
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]),
};

const candidate = (text: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'm',
  responseId: 'r',
});

/** https://ai.google.dev/api/generate-content */
export const geminiSpeaker: Speaker = {
  dialect: 'gemini',
  target: { provider: 'google', api_key },
  origin: 'https://generativelanguage.googleapis.com',
  framing: 'sse',
  streamsByPath: true,
  request: (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
  route: (model) => ({ operation: 'converse', dialect: 'gemini', model }),
  answer: candidate,
  frames: (text) => dataFrames([candidate(text)]),
};

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converseSpeaker: Speaker = {
  dialect: 'converse',
  target: { provider: 'bedrock', api_key },
  origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  framing: 'aws-eventstream',
  streamsByPath: true,
  request: (text) => ({ messages: [{ role: 'user', content: [{ text }] }] }),
  route: (model) => ({ operation: 'converse', dialect: 'converse', model }),
  answer: (text) => ({
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason: 'end_turn',
    usage,
    metrics: { latencyMs: 1 },
  }),
  frames: (text) =>
    Object.entries({
      messageStart: { role: 'assistant' },
      contentBlockDelta: { contentBlockIndex: 0, delta: { text } },
      contentBlockStop: { contentBlockIndex: 0 },
      messageStop: { stopReason: 'end_turn' },
      metadata: { usage, metrics: { latencyMs: 1 } },
    }).map(([event, value]) => ({ event, data: JSON.stringify(value) })),
};

const counts = { billed_units: { input_tokens: 1, output_tokens: 1 }, tokens: { input_tokens: 1, output_tokens: 1 } };

/** https://docs.cohere.com/reference/chat */
export const cohereSpeaker: Speaker = {
  dialect: 'cohere',
  target: { provider: 'cohere', api_key },
  origin: 'https://api.cohere.com',
  framing: 'sse',
  request: (text, model) => ({ model, messages: [{ role: 'user', content: text }] }),
  route: () => ({ operation: 'converse', dialect: 'cohere' }),
  answer: (text) => ({
    id: 'c',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    finish_reason: 'COMPLETE',
    usage: counts,
  }),
  frames: (text) =>
    namedFrames([
      { type: 'message-start', id: 'c', delta: { message: { role: 'assistant', content: [], tool_calls: [] } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: counts } },
    ]),
};

/** https://docs.cohere.com/reference/rerank */
export const rerankSpeaker: Speaker = {
  dialect: 'rerank',
  target: { provider: 'cohere', api_key: 'co-caller' },
  origin: 'https://api.cohere.com',
  framing: 'sse',
  request: (text, model) => ({ model, query: text, documents: [] }),
  route: () => ({ operation: 'rerank', dialect: 'rerank' }),
  answer: () => ({ id: 'r', results: [], meta: { billed_units: { search_units: 1 } } }),
};

/** https://docs.mistral.ai/api/endpoint/ocr: the only text of the request is the prompt of the annotation. */
export const ocrSpeaker: Speaker = {
  dialect: 'ocr',
  target: {
    provider: 'azure-ai',
    ...{ clouda_deployment_type: 'serverless', clouda_deployment_name: 'reader', clouda_region: 'eastus' },
    api_key: 'az-caller',
  },
  origin: 'https://reader.eastus.models.ai.azure.com',
  framing: 'sse',
  request: (text, model) => ({
    model,
    document: { type: 'document_url', document_url: 'https://example.com/a.pdf' },
    document_annotation_prompt: text,
  }),
  route: () => ({ operation: 'ocr', dialect: 'ocr' }),
  answer: (text) => ({
    pages: [{ index: 0, markdown: text, images: [], dimensions: { dpi: 200, height: 9, width: 9 } }],
    model: 'm',
    usage_info: { pages_processed: 1, doc_size_bytes: 9 },
  }),
};
