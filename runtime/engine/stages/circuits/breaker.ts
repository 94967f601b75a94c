import { type GatewayResponse, upstreamOutcome } from '../../../../plugins/sdk/http/http.ts';
import { isSuccess, statusMatcher } from '../../../../schema/http/status.ts';
import type { BreakerStage } from '../../../../schema/plan/plan.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafStep } from '../../call/leaf-call.ts';
import { type EndedRun, type LeafCircuits, RunCircuits } from './leaf-circuits.ts';

/**
 * Counts a leaf's outcomes. A circuit never refuses a request; it makes groups prefer other branches. A stream that has begun is
 * counted at its end: a broken stream is a failure; one that its client or the deadline ended is neutral.
 */
export const linkBreaker = (
  stage: BreakerStage,
  inner: LeafStep,
  { context, circuits }: { readonly context: LinkContext; readonly circuits: LeafCircuits },
): LeafStep => {
  const isFailure = statusMatcher(stage.failures);
  /**
   * Reads from an answer whether its upstream works. An answer that did not come from it, or that missed the deadline, says
   * nothing.
   */
  const toEnd = (answer: GatewayResponse): EndedRun | undefined => {
    const response = upstreamOutcome(answer);
    return response && { outcome: isFailure(response) ? 'failure' : 'success', response };
  };
  return async (call) => {
    const run = new RunCircuits(stage, circuits, { context, call });
    let response: GatewayResponse;
    try {
      response = await inner(call);
    } catch (error) {
      run.settle(undefined);
      throw error;
    }
    const { body } = response;
    if (body.kind === 'bytes' || !isSuccess(response.status)) run.settle(toEnd(response));
    else
      body.onEnd((end) => {
        if (end === 'left' || call.run.isPastDeadline || call.judgedStream === 'denied') run.settle(undefined);
        else run.settle(end === 'failed' ? { outcome: 'failure', response } : toEnd(response));
      });
    return response;
  };
};
