import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { statusMatcher } from '../../../schema/http/status.ts';
import type { FallbackNode } from '../../../schema/plan/plan.ts';
import type { Run } from '../call/run.ts';
import { discard } from '../responses/discard.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { availableBranches, readBranches } from './available-branches.ts';
import { branchAt } from './branch-at.ts';
import type { LinkBranch } from './link-branch.ts';
import type { LinkedNode } from './linked-node.ts';
import { preferredBranch } from './preferred-branch.ts';

/**
 * Tries the available branches in order, the one that the request prefers first, until an answer is not a trigger; else gives
 * the last answer.
 */
export const linkFallback = (node: FallbackNode, context: PlanContext, linkBranch: LinkBranch): LinkedNode => {
  const { path } = node;
  const { notices } = context;
  const triggers = statusMatcher(node.on);
  const branches = node.branches.map((branch) => linkBranch(branch, context));
  const all = branches.map((_, branch) => branch);
  const hasCircuit = branches.some((branch) => branch.hasCircuit);

  const run = async (current: Run, order: readonly number[]): Promise<GatewayResponse> => {
    for (let at = 0; ; at += 1) {
      const from = order[at] ?? 0;
      const response = await branchAt(branches, from).execute(current);
      const to = order[at + 1];
      if (to === undefined || !triggers(response) || current.ended) return response;
      discard(response);
      notices.fellBack({ kind: 'fellBack', path, from, to, status: response.status }, current.exchange);
    }
  };

  return {
    hasCircuit,
    available: (current) => readBranches(branches, all, current).length > 0,
    calls: (slug, current) => branches.some((branch) => branch.calls(slug, current)),
    execute(current) {
      const usable = hasCircuit ? availableBranches(path, branches, { all, run: current }) : all;
      const preferred = preferredBranch(branches, usable, current);
      return run(current, preferred === undefined ? usable : [preferred, ...usable.filter((at) => at !== preferred)]);
    },
  };
};
