import type { Condition, Facts } from '../../schema/plan/condition.ts';
import { Behaviours } from './behaviour.ts';
import { Budget, BudgetExceeded } from './budget.ts';
import { type Cell, cells } from './cells.ts';
import { compareTrees, type TreeDiff } from './compare-trees.ts';
import { type ComparedPlan, type Side, toSide } from './compared-plan.ts';
import { exampleFacts } from './example-facts.ts';
import { joinedCondition } from './joined-condition.ts';
import { Numbers } from './numbers.ts';
import { type OutcomeClass, outcomeClasses } from './outcome-classes.ts';
import { treeText } from './tree-text.ts';

export type ChangedTree = Exclude<TreeDiff, { readonly kind: 'same' | 'undecided' }>;

/** A change in behaviour, and the requests that it affects. */
export interface Change {
  readonly tree: ChangedTree;
  readonly when: Condition;
  /** The facts of one of these requests, if one was found. */
  readonly example?: Facts;
}

/**
 * The part that was not compared: too many kinds of requests, or the requests of a condition in all states that targets can have.
 */
export type Undecided = { readonly kind: 'conditions' } | { readonly kind: 'states'; readonly when: Condition };

/** The change in behaviour from one plan to another. */
export interface PlanDiff {
  readonly before: Side;
  readonly after: Side;
  /** The classes of answers that the plans distinguish; `then` of a step is in their order. */
  readonly classes: readonly OutcomeClass[];
  readonly changes: readonly Change[];
  /** Whether some requests are treated as before. */
  readonly hasUnchanged: boolean;
  readonly undecided: readonly Undecided[];
  /** The limits of whole requests that differ. */
  readonly bounds: readonly ('deadlineMs' | 'maxCostUsd')[];
}

/** In visits of nodes; at most some seconds of work. */
const defaultBudget = 2_000_000;

/** The maximum number of kinds into which requests are divided. */
const maxCells = 1000;

/** If there are more kinds that a change does not affect, they are not used to describe the requests that it affects. */
const maxOthers = 100;

interface Compared {
  readonly tree: TreeDiff;
  readonly cells: Cell[];
}

const toWhen = (key: string, compared: ReadonlyMap<string, Compared>): Condition => {
  const literalsOf = ({ cells: list }: Compared) => list.map(({ literals }) => literals);
  const own = compared.get(key);
  const others =
    compared.size > maxOthers
      ? undefined
      : [...compared].flatMap(([other, each]) => (other === key ? [] : literalsOf(each)));
  return joinedCondition(own === undefined ? [] : literalsOf(own), others);
};

const toExample = (list: readonly Cell[]): Facts | undefined => {
  for (const { literals } of list.slice(0, 20)) {
    const facts = exampleFacts(literals);
    if (facts !== undefined) return facts;
  }
  return undefined;
};

const boundsOf = (before: ComparedPlan, after: ComparedPlan): PlanDiff['bounds'] =>
  (['deadlineMs', 'maxCostUsd'] as const).filter((name) => before[name] !== after[name]);

/** Compares what two plans do with every request. Names and the shape of the configs do not matter. */
export const comparePlans = (
  one: ComparedPlan,
  other: ComparedPlan,
  { units = defaultBudget }: { readonly units?: number } = {},
): PlanDiff => {
  const numbers = new Numbers();
  const [before, after] = [toSide(one, numbers), toSide(other, numbers)];
  const budget = new Budget(units);
  const classes = outcomeClasses([before.root, after.root]);
  const behaviours = new Behaviours(classes, budget);
  const compared = new Map<string, Compared>();
  const undecided: Undecided[] = [];
  const bounds = boundsOf(one, other);
  // If the conditions of both plans are the same, they need not be examined, however many there are.
  const [text, otherText] = [before, after].map(({ root, identify }) => treeText(root, identify, classes));
  if (text === otherText) return { before, after, classes, changes: [], hasUnchanged: true, undecided, bounds };
  let count = 0;
  try {
    for (const cell of cells(before.root, after.root, budget)) {
      if (count === maxCells) throw new BudgetExceeded();
      count += 1;
      const tree = compareTrees(cell, { before, after, behaviours });
      const known = compared.get(tree.key) ?? { tree, cells: [] };
      known.cells.push(cell);
      compared.set(tree.key, known);
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    undecided.push({ kind: 'conditions' });
  }
  const changes = [...compared].flatMap(([key, { tree, cells: list }]): readonly Change[] => {
    if (tree.kind === 'same' || tree.kind === 'undecided') return [];
    const example = toExample(list);
    return [{ tree, when: toWhen(key, compared), ...(example && { example }) }];
  });
  if (compared.has('undecided')) undecided.push({ kind: 'states', when: toWhen('undecided', compared) });
  return { before, after, classes, changes, hasUnchanged: compared.has('same'), undecided, bounds };
};

/** Whether nothing changed and everything was compared. */
export const isUnchanged = ({ changes, undecided, bounds }: PlanDiff): boolean =>
  changes.length === 0 && undecided.length === 0 && bounds.length === 0;
