import type { Dialect, Frame, FrameClass } from '../../plugins/sdk/dialect/dialect.ts';

/** Whether a frame has no data. Servers and proxies send such frames to keep a connection open. */
export const isBlank = ({ data }: Frame): boolean => data === '' || (data.length < 4 && data.trim() === '');

/** Returns the class of a frame. Without data it is not content, whatever its dialect makes of frames that it cannot read. */
export const toClass = (dialect: Dialect, frame: Frame): FrameClass => {
  const kind = dialect.classify(frame);
  return kind === 'content' && isBlank(frame) ? 'preamble' : kind;
};
