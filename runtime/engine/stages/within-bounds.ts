import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { RequestBounds } from '../../../schema/plan/request-bounds.ts';
import type { LinkPorts } from '../call/context.ts';
import type { Run } from '../call/run.ts';
import { errorResponse } from '../error-responses/error-response.ts';
import { linkCosts } from './bounded-costs.ts';
import { TimedDeadline } from './timed-deadline.ts';

type Execute = (run: Run) => Promise<GatewayResponse>;

/** Executes a tree within the limits of its plan and of the request. The stricter of two limits applies. */
export type WithinBounds = (execute: Execute, run: Run, bounds: RequestBounds) => Promise<GatewayResponse>;

/** Returns the smaller of two limits, either of which may be absent. */
const nearer = (own: number | undefined, asked: number | undefined): number | undefined =>
  own === undefined || asked === undefined ? (own ?? asked) : Math.min(own, asked);

/**
 * Returns the answer if it is in time. What a stage made of an attempt after the deadline is not used, because a check that was
 * not waited for has judged nothing. A stored answer that replaces the failure is used.
 */
const inTime = (response: GatewayResponse, { dialect }: Run, { cause }: TimedDeadline): GatewayResponse => {
  const { body, origin, leaf } = response;
  if (cause === undefined || body.kind === 'stream' || origin === 'timeout' || origin === 'cache') return response;
  return errorResponse(cause, { dialect, origin: 'timeout', ...(leaf === undefined ? {} : { leaf }) });
};

/** Returns the answer of a tree that its deadline may end, even within its stream. */
const untilDeadline = async (execute: Execute, run: Run, deadline: TimedDeadline): Promise<GatewayResponse> => {
  const over = (): void => {
    deadline.release();
    if (run.isPastDeadline) run.exchange.trail.push({ kind: 'deadlinePassed', ms: deadline.ms });
  };
  run.deadline = deadline;
  let isStreaming = false;
  try {
    const response = await execute(run);
    const { body } = response;
    isStreaming = body.kind === 'stream';
    if (body.kind === 'stream') body.onEnd(over);
    return run.isPastDeadline ? inTime(response, run, deadline) : response;
  } finally {
    if (!isStreaming) over();
  }
};

/** Links the limits of all plans of a gateway. */
export const linkBounds = (ports: Pick<LinkPorts, 'clock' | 'prices'>): WithinBounds => {
  const { clock } = ports;
  const boundCosts = linkCosts(ports);
  return (execute, run, { deadlineMs, maxCostUsd }) => {
    const { overrides, cancellation, startedAt = clock.monotonic() } = run.exchange;
    const maxUsd = nearer(maxCostUsd, overrides.maxCostUsd);
    if (maxUsd !== undefined) run.costs = boundCosts(maxUsd);
    const ms = nearer(deadlineMs, overrides.deadlineMs);
    if (ms === undefined) return execute(run);
    return untilDeadline(execute, run, new TimedDeadline(cancellation, { clock, ms, startedAt }));
  };
};
