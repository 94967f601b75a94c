import type { GatewayResponse, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { LeafCall } from '../leaf-call.ts';
import { failureResponse } from './failure-response.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { translateAnswer } from './translate-answer.ts';

/** Bytes of a whole answer that are kept in memory, at most. */
const answerLimit = 32 * 1024 * 1024;

export interface WholeAnswer {
  readonly status: number;
  /** Without those that end here. */
  readonly headers: readonly string[];
  readonly body: UpstreamBody;
  readonly outgoing: OutgoingCall;
  readonly strict: boolean;
}

/** Waits for all of an answer. In the client's own dialect it stays as it came, errors too. */
export const receiveWhole = async (
  call: LeafCall,
  { status, headers, body, outgoing, strict }: WholeAnswer,
): Promise<GatewayResponse> => {
  const bytes = await body.collect(answerLimit);
  if (!Buffer.isBuffer(bytes)) return failureResponse(call, bytes.error);
  const { road, streamUsage } = outgoing;
  if (road?.kind === 'translate')
    return translateAnswer(call, { status, headers, bytes }, { road, strict, streamUsage });
  return { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes }, leaf: call.report };
};
