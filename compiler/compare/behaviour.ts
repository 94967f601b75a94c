import { errorTable } from '../../schema/errors/errors.ts';
import { statusMatcher } from '../../schema/http/status.ts';
import { canonicalJson } from '../../schema/json/canonical.ts';
import type { FallbackNode, LeafNode, LoadbalanceNode, PlanNode, WeightedBranch } from '../../schema/plan/plan.ts';
import { add, formatRational, multiply, one, type Rational, rational, zero } from '../semantics/rational.ts';
import type { Budget } from './budget.ts';
import { Numbers } from './numbers.ts';
import type { OutcomeClass } from './outcome-classes.ts';
import { type Identify, isUndecided, type Situation, usedBranches } from './situation.ts';

/** The next thing that a request does: a call with the stages around it, or a group that does more than draw or try in order. */
export type Move =
  | { readonly kind: 'leaf'; readonly leaf: LeafNode }
  | {
      readonly kind: 'balance';
      readonly node: LoadbalanceNode;
      readonly branches: readonly State[];
      readonly weights: readonly number[];
    }
  | { readonly kind: 'hedge' | 'continue'; readonly node: FallbackNode; readonly branches: readonly State[] }
  | { readonly kind: 'mirror'; readonly node: PlanNode; readonly inner: State };

/** A move that may come next, and what follows for each class of its answers. */
export interface Step {
  readonly move: Move;
  readonly probability: Rational;
  /** In the order of the classes. */
  readonly then: readonly State[];
}

/**
 * A moment of a request between two moves. Two states with the same `id`, of one plan or of two, behave the same from there on,
 * with the same probabilities.
 */
export interface State {
  readonly id: number;
  /** In the order of their moves' texts. */
  readonly steps: readonly Step[];
  /** The probability that the request is answered, with the answer of the last move. */
  readonly answered: Rational;
  /** The probability that a group answers itself, because none of its branches is able. */
  readonly refused: Rational;
}

/** The remaining branches of a fallback, and the frame around it. */
interface Frame {
  readonly id: number;
  readonly node: FallbackNode;
  readonly rest: readonly PlanNode[];
  readonly around: Frame | undefined;
}

type Head =
  | { readonly kind: 'move'; readonly node: PlanNode; readonly around: Frame | undefined }
  | { readonly kind: 'answered' | 'refused' };

interface Weighted {
  readonly probability: Rational;
  readonly head: Head;
}

const refusal = { status: errorTable['no-capable-target'].status, origin: 'gateway' } as const;

/** State that the behaviours of two plans share, so that their states can be compared. */
export class Behaviours {
  readonly classes: readonly OutcomeClass[];
  readonly budget: Budget;
  readonly numbers: Numbers = new Numbers();

  constructor(classes: readonly OutcomeClass[], budget: Budget) {
    this.classes = classes;
    this.budget = budget;
  }

  /** Returns the state in which a request reaches the root of a plan. */
  begin(root: PlanNode, options: BehaviourOptions): State {
    return new Behaviour(this, options).visit(root);
  }
}

export interface BehaviourOptions {
  readonly identify: Identify;
  /** Whether moves are compared including the settings of their leaves, or only by their calls. */
  readonly by: 'call' | 'whole';
  readonly situation: Situation;
}

/** The parts of a state that make the same move. */
interface Group {
  readonly move: Move;
  readonly parts: Weighted[];
  sum: Rational;
}

/** Returns the branches of a load balance, with their weights, that lead to one of these nodes. */
const branchesAmong = ({ branches }: LoadbalanceNode, nodes: readonly PlanNode[]): readonly WeightedBranch[] =>
  branches.filter(({ node }) => nodes.includes(node));

const divide = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

class Behaviour {
  readonly #shared: Behaviours;
  readonly #options: BehaviourOptions;
  readonly #states = new Map<string, State>();
  readonly #nodes = new Map<PlanNode, number>();
  readonly #frames = new Map<string, Frame>();

  constructor(shared: Behaviours, options: BehaviourOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  visit(node: PlanNode): State {
    return this.#state(this.#enter(node, undefined, one));
  }

  #nodeId(node: PlanNode): number {
    const id = this.#nodes.get(node) ?? this.#nodes.size;
    this.#nodes.set(node, id);
    return id;
  }

  /**
   * Returns the frame of a fallback. A fallback without remaining branches needs no frame, because it answers what its last
   * branch does.
   */
  #frame(node: FallbackNode, rest: readonly PlanNode[], around: Frame | undefined): Frame | undefined {
    if (rest.length === 0) return around;
    const key = `${this.#nodeId(node)} ${rest.length} ${around?.id ?? ''}`;
    const frame = this.#frames.get(key) ?? { id: this.#frames.size, node, rest, around };
    this.#frames.set(key, frame);
    return frame;
  }

  /** Enters a node: draws, and enters first branches, until there is a move. */
  #enter(node: PlanNode, around: Frame | undefined, probability: Rational): readonly Weighted[] {
    this.#shared.budget.spend();
    if (node.mirrors !== undefined || node.kind === 'leaf')
      return [{ probability, head: { kind: 'move', node, around } }];
    if (node.kind === 'conditional') return isUndecided();
    const branches = usedBranches(node, this.#options);
    const [first, ...rest] = branches;
    if (first === undefined) return this.#leave(around, refusal, probability, 'refused');
    if (node.kind === 'loadbalance') {
      if (node.balance !== undefined || node.sticky !== undefined)
        return [{ probability, head: { kind: 'move', node, around } }];
      const used = branchesAmong(node, branches);
      const total = used.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
      return used.flatMap(({ weight, node: branch }) =>
        this.#enter(branch, around, multiply(probability, rational(BigInt(weight), total))),
      );
    }
    if (rest.length > 0 && (node.hedge !== undefined || node.continues === true))
      return [{ probability, head: { kind: 'move', node, around } }];
    return this.#enter(first, this.#frame(node, rest, around), probability);
  }

  /** Leaves a branch with an answer. The innermost fallback that the answer triggers continues. */
  #leave(
    around: Frame | undefined,
    outcome: OutcomeClass['outcome'],
    probability: Rational,
    end: 'answered' | 'refused',
  ): readonly Weighted[] {
    for (let frame = around; frame !== undefined; frame = frame.around) {
      const [next, ...rest] = frame.rest;
      if (next !== undefined && statusMatcher(frame.node.on)(outcome))
        return this.#enter(next, this.#frame(frame.node, rest, frame.around), probability);
    }
    return [{ probability, head: { kind: end } }];
  }

  /** Encodes the classes of answers that make a fallback continue. */
  #triggers({ on }: FallbackNode): string {
    const triggers = statusMatcher(on);
    return this.#shared.classes.map(({ outcome }) => (triggers(outcome) ? '1' : '0')).join('');
  }

  #toMove(node: PlanNode): readonly [text: string, move: Move] {
    const { mirrors } = node;
    if (mirrors !== undefined) {
      const { mirrors: _mirrors, ...bare } = node;
      const inner = this.visit(bare);
      const copies = mirrors.map(({ percent, leaf }) => [percent, this.#toText(leaf)]);
      return [canonicalJson(['mirror', inner.id, copies.map(canonicalJson).sort()]), { kind: 'mirror', node, inner }];
    }
    if (node.kind === 'leaf') return [this.#toText(node), { kind: 'leaf', leaf: node }];
    if (node.kind === 'conditional') return isUndecided();
    const used = usedBranches(node, this.#options);
    const branches = used.map((branch) => this.visit(branch));
    const ids = branches.map(({ id }) => id);
    if (node.kind === 'loadbalance') {
      const weights = branchesAmong(node, used).map(({ weight }) => weight);
      const text = canonicalJson(['balance', node.balance, node.sticky, weights, ids]);
      return [text, { kind: 'balance', node, branches, weights }];
    }
    const { hedge, continues, require } = node;
    const text = canonicalJson(['fallback', hedge, continues, require, this.#triggers(node), ids]);
    return [text, { kind: hedge === undefined ? 'continue' : 'hedge', node, branches }];
  }

  #toText(leaf: LeafNode): string {
    return this.#options.identify(leaf)[this.#options.by];
  }

  /** Creates a state. Equal parts are merged. */
  #state(parts: readonly Weighted[]): State {
    const merged = new Map<string, Weighted>();
    for (const { probability, head } of parts) {
      const key = head.kind === 'move' ? `${this.#nodeId(head.node)} ${head.around?.id ?? ''}` : head.kind;
      merged.set(key, { head, probability: add(merged.get(key)?.probability ?? zero, probability) });
    }
    const name = [...merged]
      .map(([key, { probability }]) => `${key}:${formatRational(probability)}`)
      .sort()
      .join('|');
    const state = this.#states.get(name) ?? this.#newState([...merged.values()]);
    this.#states.set(name, state);
    return state;
  }

  #newState(parts: readonly Weighted[]): State {
    this.#shared.budget.spend(1 + parts.length);
    const sums = { answered: zero, refused: zero };
    const groups = new Map<string, Group>();
    for (const part of parts) {
      const { head, probability } = part;
      if (head.kind !== 'move') {
        sums[head.kind] = add(sums[head.kind], probability);
        continue;
      }
      const [text, move] = this.#toMove(head.node);
      const group = groups.get(text) ?? { move, parts: [], sum: zero };
      group.parts.push(part);
      group.sum = add(group.sum, probability);
      groups.set(text, group);
    }
    const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
    const steps = sorted.map(([, group]) => this.#toStep(group));
    const { numbers } = this.#shared;
    const own = sorted.map(([text], index) => [
      numbers.toId(text),
      formatRational(steps[index]?.probability ?? zero),
      steps[index]?.then.map(({ id }) => id),
    ]);
    const { answered, refused } = sums;
    const id = numbers.toId(canonicalJson([own, formatRational(answered), formatRational(refused)]));
    return { id, steps, answered, refused };
  }

  /** Turns a group into a step. After its move, only the parts that made the move remain. */
  #toStep({ move, parts, sum }: Group): Step {
    const then = this.#shared.classes.map(({ outcome }) =>
      this.#state(
        parts.flatMap(({ probability, head }) =>
          head.kind === 'move' ? this.#leave(head.around, outcome, divide(probability, sum), 'answered') : [],
        ),
      ),
    );
    return { move, probability: sum, then };
  }
}
