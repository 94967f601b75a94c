import { type GatewayResponse, headerValue, type LeafReport } from '../../../plugins/sdk/http/http.ts';
import { wait } from '../../../plugins/sdk/time/wait.ts';
import { checkFailedStatus, deniedStatus } from '../../../schema/http/status.ts';
import type { RetryStage } from '../../../schema/plan/plan.ts';
import { backoff, maxRetryWaitMs, retryAfterMs } from '../../../schema/plan/schedule.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall, LeafStep } from '../call/leaf-call.ts';
import { countWait } from '../call/request-waits.ts';
import { discard } from '../error-responses/discard.ts';

const withRetries = (response: GatewayResponse, { report }: LeafCall, retries: number): GatewayResponse => {
  const leaf: LeafReport = { ...(response.leaf ?? report), retries };
  return { ...response, leaf };
};

/**
 * Retries after a listed status and after every network failure, with growing waits or those that the provider requests. A wait
 * is not started if the deadline would leave no time after it.
 */
export const linkRetry = (stage: RetryStage, inner: LeafStep, context: LinkContext): LeafStep => {
  const { clock, chance } = context.ports;
  const listed = new Set(stage.on);
  const isRetriable = ({ status, origin }: GatewayResponse): boolean => origin === 'network' || listed.has(status);

  const waitBefore = (retry: number, response: GatewayResponse, { exchange, leaf }: LeafCall): number => {
    // A check's verdict is about this answer, so waiting would not help.
    if (response.status === deniedStatus || response.status === checkFailedStatus) return 0;
    const asked = stage.useRetryAfter
      ? retryAfterMs((name) => headerValue(response.headers, name), clock.wall())
      : undefined;
    if (asked !== undefined) return asked;
    const { from, to } = backoff(retry);
    return chance.between({ seed: exchange.seed, path: leaf.path, visit: retry }, from, to);
  };

  return async (call) => {
    const { cancellation, leaf, run } = call;
    let waitedMs = 0;
    for (let retries = 0; ; retries += 1) {
      const response = await inner(call);
      if (!isRetriable(response) || run.ended) return response;
      if (retries === stage.attempts) return withRetries(response, call, -1);
      const waitMs = waitBefore(retries + 1, response, call);
      waitedMs += waitMs;
      if (waitedMs > maxRetryWaitMs || !run.hasTimeAfter(waitMs)) return withRetries(response, call, -1);
      discard(response);
      context.notices.retried({ kind: 'retried', path: leaf.path, retry: retries + 1, waitMs }, call.originalExchange);
      if (waitMs > 0) await countWait(call.exchange, () => wait(waitMs, clock, cancellation));
      if (cancellation.cancelled) return withRetries(call.ended(), call, retries + 1);
    }
  };
};
