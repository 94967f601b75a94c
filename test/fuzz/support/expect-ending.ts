import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';

/** The frames that end complete streams. Gemini has none: each of its candidates has a finish reason. */
const lastFrames: Readonly<Record<string, (frame: Frame) => boolean>> = {
  chat: ({ data }) => data.startsWith('[DONE]'),
  messages: ({ event }) => event === 'message_stop',
  responses: ({ event = '' }) => ['response.completed', 'response.incomplete'].includes(event),
  cohere: ({ event }) => event === 'message-end',
  converse: ({ event }) => event === 'messageStop',
};

/** Throws if an encoder ended a stream twice, or wrote something after an error. */
export const expectEnding = (dialect: Dialect, frames: readonly Frame[]): void => {
  const errorAt = frames.findIndex((frame) => dialect.classify(frame) === 'error');
  // The Responses format has two frames for an error.
  if (errorAt !== -1 && frames.slice(errorAt).some((frame) => dialect.classify(frame) !== 'error'))
    throw new Error('A stream went on after its error.');
  const isLast = lastFrames[dialect.id] ?? (() => false);
  const ends = frames.filter((frame) => isLast(frame) && dialect.classify(frame) === 'end').length;
  if (ends > 1) throw new Error(`A stream ended ${ends} times.`);
  if (ends > 0 && errorAt !== -1) throw new Error('A stream ended cleanly, and then with an error.');
};
