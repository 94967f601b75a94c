import type { GatewayResponse } from '../../../plugins/sdk/http.ts';
import { errorReport } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { OutputChecksStage, Target } from '../../../schema/plan.ts';
import { checkFailedStatus } from '../../../schema/status.ts';
import { effectiveParams, paramEdits } from '../attempt/param-edits.ts';
import { jsonObjectOf } from '../body/json-object-of.ts';
import { answerText } from '../check-text.ts';
import { linkChecks } from '../checks/link-checks.ts';
import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';

/** A provider's whole 200, as JSON; nothing else is checked. */
const checkable = ({ status, origin, body }: GatewayResponse): JsonObject | undefined => {
  if (status !== 200 || origin !== 'upstream' || body.kind !== 'bytes') return undefined;
  return jsonObjectOf(body.bytes);
};

/** Checks each attempt's answer: a denial stands in for it, a failure marks it, and either may be retried. */
export const linkOutputChecks = (
  stage: OutputChecksStage,
  inner: LeafStep,
  { target, context }: { readonly target: Target; readonly context: LinkContext },
): LeafStep => {
  const check = linkChecks('output', stage.hooks, context);
  const edits = paramEdits(target);
  return async (call) => {
    call.outputResults = undefined;
    const response = await inner(call);
    if (call.dialect === undefined || call.exchange.route.operation !== 'converse') return response;
    const answer = checkable(response);
    if (answer === undefined) return response;
    const params = effectiveParams(call, edits);
    const { result, results } = await check(call, { params, answer, text: answerText(answer, call.dialect) });
    call.outputResults = results;
    if (result === 'denied') return call.refuse(errorReport('checks-failed', { phase: 'answer' }), { origin: 'check' });
    return result === 'failed' ? { ...response, status: checkFailedStatus } : response;
  };
};
