import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { noBytes } from './stream-relay.ts';

/** The bytes of an upstream's error for the client; none if the client would not know it for one, and gets the gateway's own. */
export const shownError = ({ hidesError }: Pick<Dialect, 'hidesError'>, frame: Frame, write: () => Buffer): Buffer =>
  hidesError?.(frame) === true ? noBytes : write();
