import type { GatewayResponse, UpstreamBody } from '../../../plugins/sdk/http.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import { failureResponse } from './failure-response.ts';
import { translateAnswer } from './translate-answer.ts';

export interface WholeAnswer {
  readonly status: number;
  /** Without those that end here. */
  readonly headers: readonly string[];
  readonly body: UpstreamBody;
  readonly translation: Exclude<Translation, { kind: 'none' }>;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly clock: Clock;
  /** Bytes of it that are kept in memory, at most. */
  readonly limit: number;
}

/** Waits for all of an answer. In the client's own dialect it stays as it came, errors too. */
export const receiveWhole = async (
  call: LeafCall,
  { status, headers, body, translation, strict, streamUsage, clock, limit }: WholeAnswer,
): Promise<GatewayResponse> => {
  const bytes = await body.collect(limit);
  if (!Buffer.isBuffer(bytes)) return failureResponse(call, bytes.error);
  if (translation.kind === 'translate')
    return translateAnswer(call, { status, headers, bytes }, { translation, strict, streamUsage, clock });
  return { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes }, leaf: call.report };
};
