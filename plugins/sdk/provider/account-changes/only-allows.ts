import { passedSegments } from '../../http/passed-segments.ts';
import { type ChangesAccount, isReading } from './passed-request.ts';

/** A request that callers of models may make, by what is known of it. */
export interface AllowedRequest {
  readonly method: string;
  /** Decoded, in lower case, and without versions in front. */
  readonly segments: readonly string[];
}

/** The rule for an API of which all is known that callers of models may send: it changes the account in every other way. */
export const onlyAllows =
  (allows: (request: AllowedRequest) => boolean): ChangesAccount =>
  (request) =>
    !isReading(request) && !allows({ method: request.method.toUpperCase(), segments: passedSegments(request.path) });
