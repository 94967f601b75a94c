import type { Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';

/** How much of a stream comes: nothing of the answer, its first content, or all of it. */
export type StreamExtent = 'preamble' | 'begun' | 'whole';

/** An answer of OpenAI's text completions, whose dialect has no codec to write one. */
export const plainCompletion: JsonObject = {
  id: 'replay',
  object: 'text_completion',
  created: 0,
  model: 'replay',
  choices: [{ index: 0, text: 'Hello.', logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const chunk: Frame = { data: JSON.stringify(plainCompletion) };

/** The same answer as a stream. */
export const completionFrames: Readonly<Record<StreamExtent, readonly Frame[]>> = {
  preamble: [],
  begun: [chunk],
  whole: [chunk, { data: '[DONE]' }],
};
