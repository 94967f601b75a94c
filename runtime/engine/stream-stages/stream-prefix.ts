import type { Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { hookResultsFrame } from './hook-results-frame.ts';

/**
 * Returns the event that shows a stream's client the results of the input checks, before the answer. It belongs to no vendor's
 * dialect, so only clients that turned strictness off receive it. It has a name if the dialect's events have names.
 */
export const streamPrefix = ({ inputResults, dialect }: LeafCall, strict: boolean): Frame | undefined => {
  if (strict || inputResults === undefined || dialect === undefined) return undefined;
  return hookResultsFrame('before_request_hooks', inputResults, dialect);
};
