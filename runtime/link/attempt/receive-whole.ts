import type { GatewayResponse, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeafCall } from '../leaf-call.ts';
import { failureResponse } from './failure-response.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { translateAnswer } from './translate-answer.ts';

export interface WholeAnswer {
  readonly status: number;
  /** Without those that end here. */
  readonly headers: readonly string[];
  readonly body: UpstreamBody;
  readonly outgoing: OutgoingCall;
  readonly strict: boolean;
  readonly clock: Clock;
  /** Bytes of it that are kept in memory, at most. */
  readonly limit: number;
}

/** Waits for all of an answer. In the client's own dialect it stays as it came, errors too. */
export const receiveWhole = async (
  call: LeafCall,
  { status, headers, body, outgoing, strict, clock, limit }: WholeAnswer,
): Promise<GatewayResponse> => {
  const bytes = await body.collect(limit);
  if (!Buffer.isBuffer(bytes)) return failureResponse(call, bytes.error);
  const { road, streamUsage } = outgoing;
  if (road?.kind === 'translate')
    return translateAnswer(call, { status, headers, bytes }, { road, strict, streamUsage, clock });
  return { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes }, leaf: call.report };
};
