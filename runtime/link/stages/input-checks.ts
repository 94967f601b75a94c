import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import { errorReport } from '../../../schema/errors.ts';
import type { InputChecksStage, Target } from '../../../schema/plan.ts';
import { checkFailedStatus } from '../../../schema/status.ts';
import { effectiveParams, paramEdits } from '../attempt/param-edits.ts';
import { refuseAmbiguous } from '../body/refuse-ambiguous.ts';
import { requestText } from '../check-text.ts';
import { linkChecks } from '../checks/link-checks.ts';
import { clientClosedResponse } from '../client-closed-response.ts';
import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';

const unread = ({ id }: Dialect): string =>
  `The request is not valid in the ${id} dialect, or what it asks has no text.`;

/** Checks a request once, before it is sent: a denial is the leaf's answer, a failed check marks the provider's answer. */
export const linkInputChecks = (
  stage: InputChecksStage,
  inner: LeafStep,
  { target, context }: { readonly target: Target; readonly context: LinkContext },
): LeafStep => {
  const check = linkChecks('input', stage.hooks, context);
  const edits = paramEdits(target);
  return async (call) => {
    const { readDialect } = call;
    if (readDialect === undefined) return inner(call);
    refuseAmbiguous(call.exchange);
    const params = effectiveParams(call, edits);
    const text = requestText(params, readDialect);
    const part = text === undefined ? { unreadable: unread(readDialect) } : { params, ...text };
    const { result, results } = await check(call, part);
    call.inputResults = results;
    if (call.exchange.cancellation.cancelled) return { ...clientClosedResponse, leaf: call.report };
    if (result === 'denied')
      return call.refuse(errorReport('checks-failed', { phase: 'request' }), { origin: 'check' });
    const response = await inner(call);
    const { status, origin } = response;
    return result === 'failed' && status === 200 && (origin === 'upstream' || origin === 'cache')
      ? { ...response, status: checkFailedStatus }
      : response;
  };
};
