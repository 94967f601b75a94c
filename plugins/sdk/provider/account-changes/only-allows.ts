import { passedSegments } from '../../http/passed-segments.ts';
import { type ChangesAccount, isReading } from './passed-request.ts';

/** The parts of a request that decide whether callers of models may send it. */
export interface AllowedRequest {
  readonly method: string;
  /** Decoded, in lower case, and without leading versions. */
  readonly segments: readonly string[];
}

/**
 * Creates the rule for an API for which it is known which requests callers of models may send. Any other request that does not
 * only read changes the account.
 */
export const onlyAllows =
  (allows: (request: AllowedRequest) => boolean): ChangesAccount =>
  (request) =>
    !isReading(request) && !allows({ method: request.method.toUpperCase(), segments: passedSegments(request.path) });
