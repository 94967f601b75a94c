import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Hedge } from '../../../schema/config/hedge.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { isSuccess, type OutcomeMatcher } from '../../../schema/http/status.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { FallbackNode } from '../../../schema/plan/plan.ts';
import type { HedgeResult, TrailEvent } from '../../../schema/trail/trail.ts';
import type { HedgeBudget } from '../../in-memory/hedge-budgets.ts';
import type { LinkContext } from '../call/context.ts';
import type { Hedging, Run } from '../call/run.ts';
import { discard } from '../error-responses/discard.ts';
import { hashText } from '../load-balancing/rendezvous.ts';
import { type StartAlarm, timedAlarms } from './alarm.ts';
import { HedgeArm } from './hedge-arm.ts';
import { mayHaveSideEffects } from './may-have-side-effects.ts';

/** A branch of a fallback, ready to run. */
export interface HedgedBranch {
  execute(run: Run): Promise<GatewayResponse>;
  mayProbe(run: Run): boolean;
}

export interface HedgeOptions {
  readonly node: FallbackNode;
  readonly hedge: Hedge;
  readonly triggers: OutcomeMatcher;
  readonly branchAt: (index: number) => HedgedBranch;
}

/** The answer of one of the first two branches, and its position in their order: 1 if the fallback has moved on to the second. */
export interface Hedged {
  readonly response: GatewayResponse;
  readonly at: 0 | 1;
}

/** Runs the first of two branches, given by their indexes, and perhaps the second beside it after a time. */
export type RunHedged = (run: Run, branches: readonly [first: number, second: number]) => Promise<Hedged>;

/** The state of one visit, from the start of its second branch. */
interface Both {
  readonly run: Run;
  readonly hedging: Hedging;
  readonly budget: HedgeBudget;
  readonly one: HedgeArm;
  readonly branches: readonly [first: number, second: number];
}

/** Settles when one of the two has the answer: the first with any answer, the second only with a success. */
const firstAnswer = (one: HedgeArm, two: HedgeArm, isFailure: OutcomeMatcher): Promise<'one' | 'two'> =>
  new Promise((settle) => {
    const first = (): void => settle('one');
    one.answer.then(first, first);
    two.answer.then(
      (response) => {
        if (isSuccess(response.status) && !isFailure(response)) settle('two');
      },
      () => {},
    );
  });

/** Whether one of the leaves with these paths has sent something. */
const hasSent = (trail: readonly TrailEvent[], paths: ReadonlySet<string>): boolean =>
  trail.some((event) => event.kind === 'attempted' && paths.has(event.path));

/**
 * Links a fallback that calls its second branch beside the first if the first is slow. See `runHedged` in `compiler/semantics` for
 * the order of events. In addition, nothing that a provider might store is requested twice, and a second branch that a limit kept
 * from sending anything is called again when the fallback reaches it.
 */
export const linkHedge = (
  { node, hedge, triggers, branchAt }: HedgeOptions,
  context: Pick<LinkContext, 'plan' | 'prompts' | 'notices' | 'ports' | 'deadlines' | 'hedgeBudgets'>,
  startAlarm: StartAlarm = timedAlarms(context.deadlines),
): RunHedged => {
  const { path } = node;
  const { notices, plan } = context;
  const { clock, places } = context.ports;
  const leaves = node.branches.map(listLeaves);
  const paths = leaves.map((below) => new Set<string>(below.map((leaf) => leaf.path)));
  const sideEffects = leaves.map((below) => mayHaveSideEffects(below, context));
  const budgets = context.hedgeBudgets();
  const hashes = leaves.flat().map(({ hash }) => hash);
  const name = hashText(`${plan.name} ${path} ${hashes.join(' ')}`).join(' ');
  const prompts = new Map(
    leaves
      .flat()
      .map((leaf) => [leaf.path, context.prompts.get(plan.targets[leaf.target]?.prompt?.reference ?? '')?.slug]),
  );

  /**
   * Labels a request with the prompt of the leaf that answered, because the last one that was entered may belong to the other
   * branch.
   */
  const labelled = (hedged: Hedged, { exchange: { labels } }: Run): Hedged => {
    const { leaf } = hedged.response;
    if (labels !== undefined && leaf !== undefined) labels.prompt = prompts.get(leaf.path);
    return hedged;
  };

  const mayHedge = ({ run, hedging, budget, branches: [first, second] }: Both): boolean => {
    if (run.ended || hedging.isRunning || hedging.probes > 0 || branchAt(second).mayProbe(run)) return false;
    if (sideEffects[first]?.(run) !== false || sideEffects[second]?.(run) !== false || places?.isBusy() === true)
      return false;
    const isPaid = budget.spend();
    if (!isPaid) notices.hedgeEnded({ kind: 'hedgeEnded', path, result: 'refused' }, run.exchange);
    return isPaid;
  };

  const runBoth = async ({ run, hedging, budget, one, branches: [from, to] }: Both): Promise<Hedged> => {
    const { exchange } = run;
    const { trail } = exchange;
    notices.hedged({ kind: 'hedged', path, from, to, afterMs: hedge.afterMs }, exchange);
    hedging.isRunning = true;
    const begun = trail.length;
    const two = new HedgeArm((branch) => branchAt(to).execute(branch), run);
    let isRefused = false;
    const refuse = (): void => {
      isRefused = !hasSent(trail.slice(begun), paths[to] ?? new Set());
    };
    two.answer.then(
      ({ origin }) => {
        if (origin === 'limit') refuse();
      },
      (error: unknown) => {
        if (error instanceof GatewayError) refuse();
      },
    );
    const ended = (result: HedgeResult): void => {
      hedging.isRunning = false;
      if (isRefused) budget.refund();
      notices.hedgeEnded({ kind: 'hedgeEnded', path, result: isRefused ? 'refused' : result }, exchange);
    };
    const cut = async (arm: HedgeArm, result: HedgeResult): Promise<void> => {
      await arm.cut(clock);
      ended(result);
    };

    if ((await firstAnswer(one, two, triggers)) === 'two') {
      await cut(one, 'won');
      return { at: 1, response: await two.answer };
    }
    let first: GatewayResponse;
    try {
      first = await one.answer;
    } catch (error) {
      await cut(two, 'lost');
      throw error;
    }
    if (isRefused || !triggers(first) || run.ended) {
      await cut(two, 'lost');
      return { at: 0, response: first };
    }
    discard(first);
    notices.fellBack({ kind: 'fellBack', path, from, to, status: first.status }, exchange);
    try {
      const response = await two.answer;
      ended(triggers(response) || run.ended ? 'lost' : 'won');
      return { at: 1, response };
    } catch (error) {
      ended('lost');
      throw error;
    }
  };

  return async (run, branches) => {
    const hedging = run.hedging ?? { isRunning: false, probes: 0 };
    run.hedging = hedging;
    const budget = budgets.find(run.exchange.principal.tenant, name);
    budget.earn(hedge);
    const alarm = startAlarm(hedge.afterMs);
    const one = new HedgeArm((branch) => branchAt(branches[0]).execute(branch), run);
    const both: Both = { run, hedging, budget, one, branches };
    if (!(await alarm.firesBefore(one.answer)) || !mayHedge(both)) return { at: 0, response: await one.answer };
    return labelled(await runBoth(both), run);
  };
};
