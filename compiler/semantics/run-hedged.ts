import { addEarnings, type Hedge, spendHedge } from '../../schema/config/hedge.ts';
import { isSuccess, type OutcomeMatcher } from '../../schema/http/status.ts';
import type { Instant } from '../../schema/plan/circuits/circuit.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import type { HedgeResult } from '../../schema/trail/trail.ts';
import { mayProbe } from './availability.ts';
import { isDeadlinePassed, isEnded, type RequestRun, type Response } from './run.ts';
import type { Steps } from './steps.ts';

type RunNode = (node: PlanNode, run: RequestRun) => Steps<Response>;

/** A branch with its index in the plan. */
export interface Branch {
  readonly index: number;
  readonly node: PlanNode;
}

/** One of two branches that run at the same time. */
class Arm {
  answer: Response | undefined;
  wakesAt: Instant;
  /** When it began to wait. */
  waitsSince: Instant;
  readonly #run: RequestRun;
  readonly #steps: Steps<Response>;

  constructor(node: PlanNode, run: RequestRun, runNode: RunNode) {
    this.#run = { ...run, isCut: false };
    this.#steps = runNode(node, this.#run);
    this.wakesAt = run.world.now;
    this.waitsSince = run.world.now;
    this.goOn();
  }

  /** Continues until it waits again, if what it waits for has happened. */
  goOn(): void {
    const { isCut, world } = this.#run;
    if (this.answer !== undefined || (!isCut && world.now < this.wakesAt)) return;
    const step = this.#steps.next();
    if (step.done === true) this.answer = step.value;
    else this.wakesAt = step.value;
    this.waitsSince = world.now;
  }

  /** Ends it now if it has no answer, so that nothing more is sent. After its deadline, it ends because of the deadline. */
  cut(): Response {
    if (this.answer === undefined && !isDeadlinePassed(this.#run)) this.#run.isCut = true;
    while (this.answer === undefined) this.goOn();
    return this.answer;
  }
}

/**
 * Returns the arms in the order in which they continue if both wake at the same moment: the one that has waited longest first,
 * except at a deadline.
 */
const inWakingOrder = (arms: readonly Arm[], run: RequestRun): readonly Arm[] =>
  isDeadlinePassed(run) ? arms : [...arms].sort((a, b) => a.waitsSince - b.waitsSince);

/** Lets arms continue until something has happened. All are cut together with the run that they belong to. */
function* runUntil(arms: readonly Arm[], run: RequestRun, hasHappened: () => boolean): Steps<void> {
  while (!hasHappened()) {
    yield Math.min(...arms.flatMap(({ answer, wakesAt }) => (answer === undefined ? [wakesAt] : [])));
    for (const arm of inWakingOrder(arms, run)) {
      if (run.isCut) arm.cut();
      else if (!hasHappened()) arm.goOn();
    }
  }
}

/** Runs the first arm until it answers, or until the second branch would be called. */
function* runFirstUntil(arm: Arm, run: RequestRun, hedgeAt: Instant): Steps<void> {
  while (arm.answer === undefined && run.world.now < hedgeAt) {
    yield Math.min(arm.wakesAt, hedgeAt);
    if (run.isCut) arm.cut();
    else if (run.world.now < hedgeAt) arm.goOn();
  }
}

/** Whether the second branch is called now. Its cost is taken from the budget; if the budget is spent, the trail records it. */
const mayHedge = ({ path }: FallbackNode, next: PlanNode, run: RequestRun): boolean => {
  const { world, hedging, trail } = run;
  if (isEnded(run) || hedging.isRunning || hedging.probes > 0 || mayProbe(next, run)) return false;
  const left = spendHedge(world.budgets.get(path) ?? 0);
  if (left === undefined) trail.push({ kind: 'hedgeEnded', path, result: 'refused' });
  else world.budgets.set(path, left);
  return left !== undefined;
};

interface Hedged {
  readonly response: Response;
  /** The index of its branch: 1 if the fallback has moved on to the second. */
  readonly at: 0 | 1;
}

interface Options {
  readonly node: FallbackNode;
  readonly hedge: Hedge;
  readonly triggers: OutcomeMatcher;
  readonly runNode: RunNode;
}

/** Runs both branches until one has the answer, or both have failed. */
function* runBoth(
  one: Arm,
  branches: readonly [Branch, Branch],
  run: RequestRun,
  { node, hedge, triggers, runNode }: Options,
): Steps<Hedged> {
  const { hedging, trail } = run;
  const { path } = node;
  const [{ index: from }, { index: to, node: next }] = branches;
  const ended = (result: HedgeResult): void => {
    hedging.isRunning = false;
    trail.push({ kind: 'hedgeEnded', path, result });
  };
  trail.push({ kind: 'hedged', path, from, to, afterMs: hedge.afterMs });
  hedging.isRunning = true;
  const two = new Arm(next, run, runNode);
  const hasWon = ({ answer }: Arm): boolean => answer !== undefined && isSuccess(answer.status) && !triggers(answer);
  yield* runUntil([one, two], run, () => one.answer !== undefined || hasWon(two));
  if (one.answer === undefined) {
    one.cut().discard();
    ended('won');
    return { response: two.cut(), at: 1 };
  }
  const first = one.answer;
  if (!triggers(first) || isEnded(run)) {
    two.cut().discard();
    ended('lost');
    return { response: first, at: 0 };
  }
  first.discard();
  trail.push({ kind: 'fellBack', path, from, to, status: first.status });
  yield* runUntil([two], run, () => two.answer !== undefined);
  const response = two.cut();
  ended(triggers(response) || isEnded(run) ? 'lost' : 'won');
  return { response, at: 1 };
}

/**
 * Runs the first branch of a fallback, and after a time the second branch concurrently:
 * 1. Each visit earns a fraction of a call.
 * 2. If the first branch has not answered after `afterMs`, the request has not ended, no other hedge of it is running, no probe
 *    of a circuit is running and none would begin, the budget is checked (if it is spent: `hedgeEnded`, refused). Event `hedged`,
 *    and the second branch begins.
 * 3. The answer of the first branch wins if it is not a trigger, and that of the second if it is a success and not a trigger,
 *    whichever comes first. The other branch is cut: its attempt has the status 499 (origin `gateway`), which is neutral. Event
 *    `hedgeEnded`.
 * 4. If the first branch fails, the fallback moves on (`fellBack`), and the answer of the second counts as if it had been called
 *    then.
 */
export function* runHedged(branches: readonly [Branch, Branch], run: RequestRun, options: Options): Steps<Hedged> {
  const { node, hedge, runNode } = options;
  const { budgets, now } = run.world;
  const [first, second] = branches;
  budgets.set(node.path, addEarnings(budgets.get(node.path) ?? 0, hedge));
  const one = new Arm(first.node, run, runNode);
  yield* runFirstUntil(one, run, now + hedge.afterMs);
  if (one.answer === undefined && mayHedge(node, second.node, run)) return yield* runBoth(one, branches, run, options);
  yield* runUntil([one], run, () => one.answer !== undefined);
  return { response: one.cut(), at: 0 };
}
