import type { LeafNode, PlanNode } from '../../../schema/plan/plan.ts';
import { backoff, maxRetryWaitMs, type WaitInterval } from '../../../schema/plan/schedule.ts';
import { findStage } from '../../../schema/plan/stages.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import type { Move, State } from '../../compare/behaviour.ts';
import type { Change, PlanDiff } from '../../compare/compare-plans.ts';
import { type Side, targetOf } from '../../compare/compared-plan.ts';
import { measureBounds } from '../../semantics/bounds.ts';
import { formatRational } from '../../semantics/rational.ts';
import { describeCondition } from '../explain/describe-condition.ts';
import { type CallLabels, callLabels } from './call-labels.ts';
import { changeWords } from './change-words.ts';
import { type ConfigDiff, isSameConfig, type PricedPlan } from './compare-sources.ts';

/** The waits before the retries of a leaf, in milliseconds. */
const waitsOf = (leaf: LeafNode): readonly WaitInterval[] => {
  const retry = findStage(leaf, 'retry');
  if (retry === undefined) return [];
  return Array.from({ length: retry.attempts }, (_, index) =>
    retry.useRetryAfter ? { from: 0, to: maxRetryWaitMs } : backoff(index + 1),
  );
};

interface JsonOptions {
  readonly side: Side;
  readonly labels: CallLabels;
  readonly classes: PlanDiff['classes'];
}

const leafJson = (leaf: LeafNode, { side, labels }: JsonOptions): object => {
  const target = targetOf(side.plan, leaf);
  return {
    ...{ target: target.id, call: labels(side.identify(leaf).call), path: leaf.path },
    calls: measureBounds(leaf, side.plan.targets).calls,
    waits: waitsOf(leaf),
  };
};

/** Further states of one course are omitted. */
const maxStates = 500;

/** Lists the states of a course with their indexes, starting with the first; `null` stands for an omitted state. */
const courseJson = (first: State, options: JsonOptions): readonly object[] => {
  const places = new Map<State, number>([[first, 0]]);
  const order: State[] = [first];
  const placeOf = (state: State): number | null => {
    const known = places.get(state);
    if (known !== undefined) return known;
    if (order.length >= maxStates) return null;
    places.set(state, order.length);
    return order.push(state) - 1;
  };
  const moveJson = (move: Move): object => {
    switch (move.kind) {
      case 'leaf':
        return leafJson(move.leaf, options);
      case 'mirror':
        return {
          kind: move.kind,
          inner: placeOf(move.inner),
          copies: (move.node.mirrors ?? []).map(({ percent, leaf }) => ({ percent, ...leafJson(leaf, options) })),
        };
      case 'balance':
        return {
          kind: move.kind,
          balance: move.node.balance,
          sticky: move.node.sticky,
          branches: move.branches.map(placeOf),
        };
      case 'hedge':
      case 'continue':
        return { kind: move.kind, hedge: move.node.hedge, branches: move.branches.map(placeOf) };
    }
  };
  const states: object[] = [];
  for (let at = 0; at < order.length; at += 1) {
    const state = order[at];
    if (state === undefined) break;
    const steps = state.steps.map(({ move, probability, then }) => ({
      probability: formatRational(probability),
      ...moveJson(move),
      then: [...Map.groupBy(then.entries(), ([, next]) => next).entries()].flatMap(([next, entries]) =>
        next.steps.length === 0 && next.refused.numerator === 0n
          ? []
          : [{ statuses: entries.flatMap(([index]) => options.classes[index]?.statuses ?? []), next: placeOf(next) }],
      ),
    }));
    const { answered, refused } = state;
    states.push({ steps, answered: formatRational(answered), refused: formatRational(refused) });
  }
  return states;
};

const treeJson = (root: PlanNode, { plan }: Side): object => {
  const { calls, waitMs } = measureBounds(
    root,
    plan.targets,
    plan.deadlineMs === undefined ? {} : { deadlineMs: plan.deadlineMs },
  );
  return { calls, waitMs };
};

const changeJson = (change: Change, diff: PlanDiff, labels: CallLabels): object => {
  const { tree, when, example } = change;
  const { before, after, classes } = diff;
  const words = changeWords(change, diff, labels);
  const sideJson = (side: Side, state: State, root: PlanNode, text: readonly string[]): object => ({
    text,
    bounds: treeJson(root, side),
    states: courseJson(state, { side, labels, classes }),
  });
  return {
    kind: tree.kind,
    requests: describeCondition(when),
    when,
    ...(example && { example }),
    ...(tree.kind === 'state' && {
      while: { open: tree.situation.open.map(labels), unable: tree.situation.unable.map(labels) },
    }),
    before: sideJson(before, tree.before, tree.roots.before, words.before),
    after: sideJson(after, tree.after, tree.roots.after, words.after),
  };
};

const planJson = ({ file, plan, worst }: PricedPlan): object => {
  const { hash, bounds, requires, deadlineMs, maxCostUsd } = plan;
  return {
    ...{ file, hash, calls: bounds.calls, waitMs: bounds.waitMs, targets: bounds.targets },
    ...{ hosts: requires.hosts, credentials: requires.secrets },
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(worst !== undefined && { usd: worst / nanoPerUsd }),
  };
};

const configJson = (config: ConfigDiff): object => {
  const { kind, name } = config;
  if (kind !== 'both')
    return {
      name,
      kind,
      ...(kind === 'added' ? { after: planJson(config.after) } : { before: planJson(config.before) }),
    };
  const { before, after, diff } = config;
  const labels = callLabels(diff.before, diff.after);
  const undecided = diff.undecided.map((each) =>
    each.kind === 'states' ? { ...each, requests: describeCondition(each.when) } : each,
  );
  return {
    name,
    kind: isSameConfig(config)
      ? 'same'
      : diff.changes.length === 0 && diff.bounds.length === 0
        ? 'undecided'
        : 'changed',
    before: planJson(before),
    after: planJson(after),
    changes: diff.changes.map((change) => changeJson(change, diff, labels)),
    undecided,
  };
};

/** Formats the changes of several configs as one JSON document. */
export const diffJson = (configs: readonly ConfigDiff[]): string =>
  `${JSON.stringify({ same: configs.every(isSameConfig), configs: configs.map(configJson) }, undefined, 2)}\n`;
