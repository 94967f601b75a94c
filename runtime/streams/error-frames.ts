import type { Dialect, Frame, StreamEncoder } from '../../plugins/sdk/dialect/dialect.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';

/**
 * Returns the frames of an error. The client's dialect can write an error without an encoder, so a failed stream never ends
 * without one.
 */
export const errorFrames = (
  report: ErrorReport,
  { client, encoder }: { readonly client: Dialect; readonly encoder: StreamEncoder },
): readonly Frame[] => {
  try {
    const frames = encoder.fail(report);
    if (frames.length > 0) return frames;
  } catch {
    // The encoder itself failed.
  }
  return [client.encodeStreamError(report)];
};
