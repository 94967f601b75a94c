import { balanceFeatures, type LoadbalanceNode } from '../../../schema/plan/plan.ts';
import type { Run } from '../call/run.ts';
import type { BranchChoice } from '../load-balancing/link-choice.ts';
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

/** Executes a load balance for a run. `able` are the branches that can serve the run, at least one. */
type ExecuteAble = (run: Run, able: readonly number[]) => ReturnType<LinkedNode['execute']>;

/**
 * Chooses one of the available branches: the one that the request prefers, or by weight, or by its chooser and the key of the
 * request.
 */
export const linkLoadbalance = (node: LoadbalanceNode, context: PlanContext, linkBranch: LinkBranch): LinkedNode => {
  const { path } = node;
  const { chance } = context.ports;
  const branches = node.branches.map((branch) => linkBranch(branch.node, context));
  const weights = node.branches.map(({ weight }) => weight);
  const all = weights.flatMap((weight, branch) => (weight > 0 ? [branch] : []));
  const hasCircuit = all.some((branch) => branchAt(branches, branch).hasCircuit);

  const required = node.require && requiringGroup({ path, branches, all }, context);

  const usableOf = (run: Run, able: readonly number[]): readonly number[] =>
    hasCircuit ? availableBranches(path, branches, { all: able, run }) : able;

  const executeBranch = (branch: number, run: Run): ReturnType<LinkedNode['execute']> => {
    run.exchange.trail.push({ kind: 'chose', path, branch });
    return branchAt(branches, branch).execute(run);
  };

  const draw = (run: Run, usable: readonly number[]): number => {
    const drawn = usable === all ? weights : weights.map((weight, branch) => (usable.includes(branch) ? weight : 0));
    return chance.pick({ seed: run.exchange.seed, path, visit: 1 }, drawn);
  };

  const executeDrawn: ExecuteAble = (run, able) => {
    const usable = usableOf(run, able);
    return executeBranch(preferredBranch(branches, usable, run) ?? draw(run, usable), run);
  };

  const executeChosen = ({ ready, choose, follow }: BranchChoice): ExecuteAble => {
    const begin: ExecuteAble = (run, able) => {
      const usable = usableOf(run, able);
      const branch = preferredBranch(branches, usable, run) ?? choose(run, usable);
      return follow(run, branch, executeBranch(branch, run));
    };
    return (run, able) => ready()?.then(() => begin(run, able)) ?? begin(run, able);
  };

  const executeAble =
    balanceFeatures(node).length === 0
      ? executeDrawn
      : executeChosen(context.stageCode.balances().linkChoice(node, context, draw));

  return {
    hasCircuit,
    available: (run) => isAnyAvailable(branches, required?.able(run) ?? all, run),
    mayProbe: (run) =>
      hasCircuit &&
      usableBranches(branches, required?.able(run) ?? all, run).some((branch) =>
        branchAt(branches, branch).mayProbe(run),
      ),
    reaches: (run) => reachedLeaves(branches, all, run),
    calls: (slug, run) => (required?.able(run) ?? all).some((branch) => branchAt(branches, branch).calls(slug, run)),
    callsOnly: (provider, run) => all.every((branch) => branchAt(branches, branch).callsOnly(provider, run)),
    execute(run) {
      const able = required?.take(run) ?? all;
      return required !== undefined && able.length === 0
        ? Promise.resolve(required.refuse(run))
        : executeAble(run, able);
    },
  };
};
