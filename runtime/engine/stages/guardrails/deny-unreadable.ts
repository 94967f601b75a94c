import { errorReport } from '../../../../schema/errors/errors.ts';
import { hookMayDeny } from '../../../../schema/plan/may-deny.ts';
import type { OutputChecksStage } from '../../../../schema/plan/plan.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafStep } from '../../call/leaf-call.ts';
import { linkChecks } from '../../guardrail-checks/link-checks.ts';

/**
 * Denies an answer that the gateway itself could not read, if an output check may deny. This happens after the retries, which
 * treat such an answer as a failure of the provider.
 */
export const denyUnreadable = (stage: OutputChecksStage, inner: LeafStep, context: LinkContext): LeafStep => {
  if (!stage.hooks.some(hookMayDeny)) return inner;
  const check = linkChecks('output', stage.hooks, context);
  return async (call) => {
    const response = await inner(call);
    if (response.cause !== 'unreadable-answer') return response;
    const { results } = await check(call, {
      unreadable: 'The answer does not follow the documented format of its provider.',
    });
    call.outputResults = results;
    const denied = call.refuse(errorReport('checks-failed', { phase: 'answer' }), { origin: 'check' });
    return response.leaf === undefined ? denied : { ...denied, leaf: response.leaf };
  };
};
