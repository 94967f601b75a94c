import { type GatewayResponse, speaksOfUpstream } from '../../../plugins/sdk/http/http.ts';
import { isSuccess, type OutcomeMatcher, statusMatcher } from '../../../schema/http/status.ts';
import type { CircuitOutcome } from '../../../schema/plan/circuit.ts';
import type { BreakerStage } from '../../../schema/plan/plan.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafStep } from '../call/leaf-call.ts';
import { LeafCircuit } from './leaf-circuit.ts';

/** Reads from an answer whether its upstream works; an answer from elsewhere, or none before the deadline, says nothing. */
const toOutcome = (response: GatewayResponse, isFailure: OutcomeMatcher): CircuitOutcome => {
  if (!speaksOfUpstream(response)) return 'neutral';
  return isFailure(response) ? 'failure' : 'success';
};

/**
 * Counts a leaf's outcomes. A circuit never refuses: it makes groups prefer other branches. A stream that has begun is
 * counted at its end: a broken stream is a failure, one left by the client, or ended by the deadline, is neutral.
 */
export const linkBreaker = (stage: BreakerStage, inner: LeafStep, context: LinkContext): LeafStep => {
  const isFailure = statusMatcher(stage.failures);
  return async (call) => {
    const circuit = new LeafCircuit(stage, context, call);
    const response = await inner(call).catch((error: unknown) => {
      circuit.settle('neutral');
      throw error;
    });
    const outcome = toOutcome(response, isFailure);
    const { body } = response;
    if (body.kind === 'bytes' || !isSuccess(response.status)) circuit.settle(outcome);
    else
      body.onEnd((end) => {
        if (end === 'left' || call.run.isPastDeadline || call.judgedStream === 'denied') circuit.settle('neutral');
        else circuit.settle(end === 'failed' ? 'failure' : outcome);
      });
    return response;
  };
};
