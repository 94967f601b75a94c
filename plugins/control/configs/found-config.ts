import type { GatewayError } from '../../../schema/errors.ts';
import { conflict } from '../saved/refusals.ts';

export const changedMeanwhile = (): GatewayError =>
  conflict('Others change what this request needs at the same time.', 'Send it again.');
