import { listBranches } from '../../schema/plan/list-branches.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { LeafNode, PlanNode } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { rewritePlan } from '../optimise/rewrite-plan.ts';
import type { Behaviours, State } from './behaviour.ts';
import type { Cell } from './cells.ts';
import { type SettingsChange, type Side, settingsChanges } from './compared-plan.ts';
import { healthySituation, type Identify, type Situation } from './situation.ts';
import { treeText } from './tree-text.ts';

/** A state of targets in which two plans differ. */
export interface NamedSituation {
  /** The calls (`LeafIdentity`) of the leaves whose circuits are open, of either plan. */
  readonly open: readonly string[];
  /** Those of the leaves that are not able to serve the request. */
  readonly unable: readonly string[];
}

/** The trees of the requests of a cell, and what they do if nothing fails. */
interface Both extends Trees {
  readonly before: State;
  readonly after: State;
}

interface Trees {
  readonly roots: { readonly before: PlanNode; readonly after: PlanNode };
  /** Cells with the same key have the same change. */
  readonly key: string;
}

/** The change in behaviour for the requests of a cell. */
export type TreeDiff =
  | { readonly kind: 'same'; readonly key: string }
  /** Their calls differ, or the order, odds or triggers of the calls. */
  | ({ readonly kind: 'route'; readonly settings: readonly SettingsChange[] } & Both)
  /** The same calls are made with different settings. */
  | ({ readonly kind: 'settings'; readonly settings: readonly SettingsChange[] } & Both)
  /** They are the same until targets are unavailable, or unable to serve the request. */
  | ({ readonly kind: 'state'; readonly situation: NamedSituation } & Both)
  /** Too many states of targets would have to be compared. */
  | { readonly kind: 'undecided'; readonly key: string };

/** The maximum number of circuits and abilities of which all combinations are compared. */
const maxSwitches = 10;

/** A circuit that may be open, or a target that may be unable. */
interface Switch {
  readonly kind: 'open' | 'unable';
  readonly key: string;
  readonly call: string;
}

const leavesThatMayBeUnable = (node: PlanNode): readonly LeafNode[] => {
  if (node.kind === 'leaf') return [];
  return 'require' in node && node.require !== undefined
    ? listLeaves(node)
    : listBranches(node).flatMap(leavesThatMayBeUnable);
};

const listSwitches = (root: PlanNode, identify: Identify): readonly Switch[] => {
  // Outside of groups, nothing looks at circuits.
  const breakers =
    root.kind === 'leaf' ? [] : listLeaves(root).filter((leaf) => findStage(leaf, 'breaker') !== undefined);
  return [
    ...breakers.map(identify).map(({ call, whole }): Switch => ({ kind: 'open', key: whole, call })),
    ...leavesThatMayBeUnable(root)
      .map(identify)
      .map(({ call }): Switch => ({ kind: 'unable', key: call, call })),
  ];
};

const bitsOf = (number: number): number => number.toString(2).replaceAll('0', '').length;

/** Lists all combinations, those with the fewest switches first. */
const combinations = (switches: readonly Switch[]): readonly (readonly Switch[])[] =>
  Array.from({ length: 2 ** switches.length - 1 }, (_, index) => index + 1)
    .sort((a, b) => bitsOf(a) - bitsOf(b) || a - b)
    .map((bits) => switches.filter((_, at) => (bits & (1 << at)) !== 0));

const keysOf = (kind: Switch['kind'], switches: readonly Switch[]): ReadonlySet<string> =>
  new Set(switches.flatMap((each) => (each.kind === kind ? [each.key] : [])));

const callsOf = (kind: Switch['kind'], switches: readonly Switch[]): readonly string[] =>
  switches.flatMap((each) => (each.kind === kind ? [each.call] : []));

interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly behaviours: Behaviours;
}

/** Compares what two plans do with the requests of a cell. Throws `BudgetExceeded`. */
export const compareTrees = (cell: Cell, { before, after, behaviours }: Sides): TreeDiff => {
  const own = { root: rewritePlan(cell.before), identify: before.identify };
  const other = { root: rewritePlan(cell.after), identify: after.identify };
  const { classes, budget } = behaviours;
  budget.spend(listLeaves(own.root).length + listLeaves(other.root).length);
  if (treeText(own.root, own.identify, classes) === treeText(other.root, other.identify, classes))
    return { kind: 'same', key: 'same' };

  const begin = (by: 'call' | 'whole', situation: Situation): Pick<Both, 'before' | 'after'> => ({
    before: behaviours.begin(own.root, { identify: own.identify, by, situation }),
    after: behaviours.begin(other.root, { identify: other.identify, by, situation }),
  });
  const settings = settingsChanges(own, other);
  const roots = { before: own.root, after: other.root };
  const byCall = begin('call', healthySituation);
  const whole = begin('whole', healthySituation);
  const ids = [byCall, whole].flatMap(({ before: { id }, after: { id: now } }) => [id, now]);
  const key = `${ids}`;
  if (byCall.before.id !== byCall.after.id) return { kind: 'route', settings, roots, key, ...byCall };
  if (whole.before.id !== whole.after.id)
    return settings.length > 0
      ? { kind: 'settings', settings, roots, key, ...byCall }
      : { kind: 'route', settings, roots, key, ...whole };

  const all = [...listSwitches(own.root, own.identify), ...listSwitches(other.root, other.identify)];
  const switches = [...new Map(all.map((each) => [`${each.kind} ${each.key}`, each])).values()];
  if (switches.length > maxSwitches) return { kind: 'undecided', key: 'undecided' };
  for (const chosen of combinations(switches)) {
    const found = begin('whole', { open: keysOf('open', chosen), unable: keysOf('unable', chosen) });
    if (found.before.id === found.after.id) continue;
    const situation = { open: callsOf('open', chosen), unable: callsOf('unable', chosen) };
    return { kind: 'state', situation, roots, key: `${key} ${found.before.id} ${found.after.id}`, ...found };
  }
  return { kind: 'same', key: 'same' };
};
