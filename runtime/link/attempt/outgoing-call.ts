import type { UpstreamRequest } from '../../../plugins/sdk/http.ts';
import type { Translation } from '../target/translation.ts';

/** A request ready to go out, and how its answer is to be read. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  /** Absent where the request is passed through. */
  readonly translation: Exclude<Translation, { kind: 'none' }> | undefined;
  /** The client asked for usage at its stream's end. */
  readonly streamUsage: boolean;
}
