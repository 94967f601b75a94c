import type { ReceivedRequest, UpstreamCall } from '../../support/upstream-server.ts';
import type { Answer, Heard } from '../scenario.ts';

/** A provider that speaks one format as its vendor documents it, written apart from the gateway's codecs. */
export interface UpstreamDriver {
  /** The dialect's id. */
  readonly dialect: string;
  /** Throws an `Error` that says what the vendor would refuse. */
  hear(request: ReceivedRequest): Heard;
  answer(call: UpstreamCall, answer: Answer, stream: boolean): void;
  /** Whether an answer to the request would prove its reasoning. */
  proves(request: ReceivedRequest): boolean;
  /** Whether a refusal of the request says when to ask again. */
  tellsWait(request: ReceivedRequest): boolean;
  /** The counts that its usage has beside those of input and output. */
  readonly counts: readonly ('cached' | 'reasoning')[];
}
