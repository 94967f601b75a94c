import type { Dialect, Frame, FrameClass } from '../../plugins/sdk/dialect/dialect.ts';

/** Whether a frame has no data, as servers and proxies send some to keep a connection open. */
export const isBlank = ({ data }: Frame): boolean => data === '' || (data.length < 4 && data.trim() === '');

/** The class of a frame: without data it is no content, whatever its dialect takes for it that it cannot read. */
export const toClass = (dialect: Dialect, frame: Frame): FrameClass => {
  const kind = dialect.classify(frame);
  return kind === 'content' && isBlank(frame) ? 'preamble' : kind;
};
