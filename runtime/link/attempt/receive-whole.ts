import type { GatewayResponse, UpstreamBody, UpstreamFailure } from '../../../plugins/sdk/http.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { Translation } from '../target/translation.ts';
import { failureResponse } from './failure-response.ts';
import { translateAnswer } from './translate-answer.ts';

/** An answer whose body is to be collected before anything is made of it. */
export interface WholeAnswer {
  readonly kind: 'whole';
  readonly status: number;
  /** Without those that end here. */
  readonly headers: readonly string[];
  readonly body: UpstreamBody;
  readonly translation: Exclude<Translation, { kind: 'none' }>;
  readonly strict: boolean;
  readonly streamUsage: boolean;
  readonly clock: Clock;
}

/** The response that an answer is once its body has come in. In the client's own dialect it stays as it came, errors too. */
export const receiveWhole = (
  call: LeafCall,
  { status, headers, translation, strict, streamUsage, clock }: WholeAnswer,
  bytes: Uint8Array | UpstreamFailure,
): GatewayResponse => {
  if (!(bytes instanceof Uint8Array)) return failureResponse(call, bytes.error);
  if (translation.kind === 'translate')
    return translateAnswer(call, { status, headers, bytes }, { translation, strict, streamUsage, clock });
  return { status, headers, origin: 'upstream', body: { kind: 'bytes', bytes }, leaf: call.report };
};
