import type { ReceivedRequest, UpstreamCall } from '../../support/servers/upstream-server.ts';
import type { Answer, Heard } from '../scenario.ts';

/** A provider that implements one format as its vendor documents it, independently of the gateway's codecs. */
export interface UpstreamDriver {
  /** The dialect's id. */
  readonly dialect: string;
  /** Parses a request. Throws an `Error` with the reason if the vendor would reject it. */
  hear(request: ReceivedRequest): Heard;
  answer(call: UpstreamCall, answer: Answer, stream: boolean): void;
  /** Whether an answer to the request proves its reasoning. */
  proves(request: ReceivedRequest): boolean;
  /** Whether an error answer to the request reports when to retry. */
  sendsRetryAfter(request: ReceivedRequest): boolean;
  /** The counts that its usage contains in addition to input and output. */
  readonly counts: readonly ('cached' | 'reasoning')[];
}
