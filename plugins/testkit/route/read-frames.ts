import { createParser } from 'eventsource-parser';
import type { Frame } from '../../sdk/dialect/dialect.ts';

/** The complete events of a stream's text. */
export const readFrames = (text: string): readonly Frame[] => {
  const frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => frames.push(event === undefined ? { data } : { event, data }),
  });
  parser.feed(text);
  return frames;
};
