import { createParser } from 'eventsource-parser';
import type { Frame, StreamDecoder } from '../../../../plugins/sdk/dialect/dialect.ts';
import { writeFrame } from '../../../../plugins/sdk/framings/sse.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';

/** Reads the frames of a stream's text with a third-party parser, in chunks that end at the borders. */
export const toFrames = (text: string, borders: readonly number[] = []): readonly Frame[] => {
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => frames.push(event === undefined ? { data } : { event, data }),
  });
  const bytes = Buffer.from(text);
  const decoder = new TextDecoder();
  let from = 0;
  for (const border of [...borders.filter((at) => at < bytes.length), bytes.length].sort((a, b) => a - b)) {
    parser.feed(decoder.decode(bytes.subarray(from, border), { stream: true }));
    from = border;
  }
  return frames;
};

/** Returns all events of a decoder for the frames. */
export const toEvents = (decoder: StreamDecoder, frames: readonly Frame[]): readonly AnswerEvent[] => [
  ...frames.flatMap((frame) => decoder.push(frame)),
  ...decoder.end(),
];

/** Returns the frames as the text of a stream. */
export const toText = (frames: readonly Frame[]): string => frames.map(writeFrame).join('');
