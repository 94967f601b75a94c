import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { completionAnswer } from '../../support/vendors/openai-completions-wire.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { dataFrames, namedFrames, type Speaker } from './speaker.ts';

const target = { provider: 'openai', api_key: 'sk-caller' };
const origin = 'https://api.openai.com';
const done: Frame = { data: '[DONE]' };

const chunk = (delta: object, finish: string | null): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** https://platform.openai.com/docs/api-reference/chat */
export const chatSpeaker: Speaker = {
  dialect: 'chat',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, messages: [{ role: 'user', content: text }] }),
  route: () => ({ operation: 'converse', dialect: 'chat' }),
  answer: (text) => openaiAnswer({ text }),
  frames: (text) => [
    ...dataFrames([chunk({ role: 'assistant', content: '' }, null), chunk({ content: text }, null), chunk({}, 'stop')]),
    done,
  ],
};

/** https://platform.openai.com/docs/api-reference/completions */
export const completionsSpeaker: Speaker = {
  dialect: 'completions',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, prompt: text }),
  route: () => ({ operation: 'complete', dialect: 'completions' }),
  answer: completionAnswer,
  frames: (text) => [
    ...dataFrames(
      [text, ''].map((piece) => ({
        id: 'c',
        object: 'text_completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, text: piece, logprobs: null, finish_reason: piece === '' ? 'stop' : null }],
      })),
    ),
    done,
  ],
};

/** https://platform.openai.com/docs/api-reference/embeddings */
export const embeddingsSpeaker: Speaker = {
  dialect: 'embeddings',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, input: text }),
  route: () => ({ operation: 'embed', dialect: 'embeddings' }),
  answer: () => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.1, -0.2] }],
    model: 'm',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }),
};

/** https://platform.openai.com/docs/api-reference/moderations */
export const moderationsSpeaker: Speaker = {
  dialect: 'moderations',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, input: text }),
  route: () => ({ operation: 'moderate', dialect: 'moderations' }),
  answer: () => ({
    id: 'modr-1',
    model: 'm',
    results: [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } }],
  }),
};

/** https://platform.openai.com/docs/api-reference/images */
export const imagesSpeaker: Speaker = {
  dialect: 'images',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, prompt: text }),
  route: () => ({ operation: 'image', dialect: 'images' }),
  answer: () => ({ created: 1, data: [{ b64_json: 'AAAA' }] }),
};

const response = (status: string, output: readonly object[]): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'm',
  output,
  ...(status === 'completed' && { usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }),
});

const message = (status: string, content: readonly object[]): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status,
  content,
});

const part = (text: string): object => ({ type: 'output_text', text, annotations: [] });

/** https://platform.openai.com/docs/api-reference/responses */
export const responsesSpeaker: Speaker = {
  dialect: 'responses',
  target,
  origin,
  framing: 'sse',
  request: (text, model) => ({ model, input: text }),
  route: () => ({ operation: 'converse', dialect: 'responses' }),
  answer: (text) => response('completed', [message('completed', [part(text)])]),
  frames: (text) => {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const whole = message('completed', [part(text)]);
    return namedFrames(
      [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.output_item.added', output_index: 0, item: message('in_progress', []) },
        { type: 'response.content_part.added', ...place, part: part('') },
        { type: 'response.output_text.delta', ...place, delta: text },
        { type: 'response.output_text.done', ...place, text },
        { type: 'response.content_part.done', ...place, part: part(text) },
        { type: 'response.output_item.done', output_index: 0, item: whole },
        { type: 'response.completed', response: response('completed', [whole]) },
      ].map((event, index) => ({ ...event, sequence_number: index })),
    );
  },
};
