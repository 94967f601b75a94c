import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { statusMatcher } from '../../../schema/http/status.ts';
import type { FallbackNode } from '../../../schema/plan/plan.ts';
import type { Run } from '../call/run.ts';
import { discard } from '../error-responses/discard.ts';
import { afterAllTargets } from '../error-responses/error-response.ts';
import type { Hedged } from '../hedge/link-hedge.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import {
  availableBranches,
  isAnyAvailable,
  reachedLeaves,
  requiringGroup,
  usableBranches,
} from './available-branches.ts';
import { branchAt } from './branch-at.ts';
import type { LinkBranch } from './link-branch.ts';
import type { LinkedNode } from './linked-node.ts';
import { preferredBranch } from './preferred-branch.ts';

interface Answered {
  /** The position in the order of the branch that has answered. */
  readonly at: number;
  readonly response: GatewayResponse;
  readonly run: Run;
}

/**
 * Tries the available branches in order, the one that the request prefers first, until an answer is not a trigger. Otherwise
 * returns the last answer.
 */
export const linkFallback = (node: FallbackNode, context: PlanContext, linkBranch: LinkBranch): LinkedNode => {
  const { path } = node;
  const { notices } = context;
  const triggers = statusMatcher(node.on);
  const branches = node.branches.map((branch) => linkBranch(branch, context));
  const all = branches.map((_, branch) => branch);
  const continued =
    node.continues === true
      ? context.stageCode.continuing().linkContinue(node, (at, run) => branchAt(branches, at).execute(run), context)
      : undefined;
  const hasCircuit = branches.some((branch) => branch.hasCircuit);
  const required = node.require && requiringGroup({ path, branches, all }, context);

  /**
   * Returns the position of the next branch. A passed-through path that belongs to no dialect has a meaning only at its own
   * provider.
   */
  const nextAt = (order: readonly number[], { at, response, run: current }: Answered): number => {
    const { leaf } = response;
    const { operation, dialect } = current.exchange.route;
    if (operation !== 'opaque' || dialect !== undefined || leaf === undefined) return at + 1;
    const found = order.findIndex(
      (branch, place) => place > at && branchAt(branches, branch).callsOnly(leaf.provider, current),
    );
    return found < 0 ? order.length : found;
  };

  /** Tries the branches from a position in their order. The first may have been tried already. */
  const run = async (current: Run, order: readonly number[], tried?: Hedged): Promise<GatewayResponse> => {
    let known = tried?.response;
    let asked = (tried?.at ?? 0) + 1;
    for (let at: number = tried?.at ?? 0; ; ) {
      const from = order[at] ?? 0;
      const response = known ?? (await branchAt(branches, from).execute(current));
      known = undefined;
      const goesOn = triggers(response) && !current.ended;
      const next = goesOn ? nextAt(order, { at, response, run: current }) : order.length;
      const to = order[next];
      if (to === undefined) {
        const last = goesOn ? afterAllTargets(response, { asked, left: order.length - at - 1 }) : response;
        return continued?.goOn({ response: last, from, others: order.slice(at + 1), run: current }) ?? last;
      }
      at = next;
      asked += 1;
      discard(response);
      notices.fellBack({ kind: 'fellBack', path, from, to, status: response.status }, current.exchange);
    }
  };

  const { hedge } = node;
  const runHedged =
    hedge &&
    context.stageCode
      .hedges()
      .linkHedge({ node, hedge, triggers, branchAt: (branch) => branchAt(branches, branch) }, context);

  const execute =
    runHedged === undefined
      ? run
      : async (current: Run, order: readonly number[]): Promise<GatewayResponse> => {
          const [first, second] = order;
          if (first === undefined || second === undefined) return run(current, order);
          return run(current, order, await runHedged(current, [first, second]));
        };

  return {
    hasCircuit,
    available: (current) => isAnyAvailable(branches, required?.able(current) ?? all, current),
    mayProbe: (current) =>
      hasCircuit &&
      usableBranches(branches, required?.able(current) ?? all, current)
        .slice(0, 1)
        .some((branch) => branchAt(branches, branch).mayProbe(current)),
    reaches: (current) => reachedLeaves(branches, all, current),
    calls: (slug, current) =>
      (required?.able(current) ?? all).some((branch) => branchAt(branches, branch).calls(slug, current)),
    callsOnly: (provider, current) => branches.every((branch) => branch.callsOnly(provider, current)),
    execute(current) {
      const able = required?.take(current) ?? all;
      if (required !== undefined && able.length === 0) return Promise.resolve(required.refuse(current));
      const usable = hasCircuit ? availableBranches(path, branches, { all: able, run: current }) : able;
      const preferred = preferredBranch(branches, usable, current);
      if (continued !== undefined) current.takeOver = continued.takeOver;
      return execute(
        current,
        preferred === undefined ? usable : [preferred, ...usable.filter((at) => at !== preferred)],
      );
    },
  };
};
