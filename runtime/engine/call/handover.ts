import type { BrokenStream, StreamHandover } from '../../../plugins/sdk/http/http.ts';
import type { AttemptUsage } from '../usage/attempt-usage.ts';
import type { LeafCall } from './leaf-call.ts';

/** Where a stream came from, for whoever goes on with it. */
export interface StreamSource {
  /** The call that began it. */
  readonly call: LeafCall;
  readonly strict: boolean;
  /** Whether its client is given usage at its end. */
  readonly streamUsage: boolean;
  /** What its attempts so far used, each counted by whoever consumes that; absent where nothing does. */
  usage(): readonly AttemptUsage[] | undefined;
}

/** The handover of a stream within the gateway. */
export class Handover implements StreamHandover {
  take: ((broken: BrokenStream) => boolean) | undefined;
  readonly source: StreamSource;

  constructor(source: StreamSource) {
    this.source = source;
  }
}
