import { enumerateRuns, TooManyRuns } from '../../compiler/semantics/enumerate-runs.ts';
import { toNumber } from '../../compiler/semantics/rational.ts';
import { trailStory } from '../../plugins/testkit/route/trail-story.ts';
import { LinkError } from '../../runtime/engine/link-error.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import type { RouteTestEntry } from '../../schema/generated/route-test-file.ts';
import { childPointer, type JsonPointer, joinPointers, rootPointer } from '../../schema/json/pointer.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { compareCalls, compareOutcome, compareShares, type Difference, type Likely } from './compare.ts';
import { exhaustiveDraws, preferredDraws } from './draws.ts';
import { unknownNames } from './names.ts';
import { type RouteBench, type RouteOutcome, type RouteStep, runSteps } from './route-bench.ts';
import { RouteProblem } from './route-problem.ts';

/**
 * A failure of one test: an expectation that was not met, or the reason why it cannot be run. Pointers are relative to the test.
 */
export type Failure =
  | (Difference & { readonly kind: 'difference' })
  | { readonly kind: 'problem'; readonly pointer: JsonPointer; readonly message: string; readonly hint: string };

/** The result of one test. */
export interface RunTest {
  readonly failures: readonly Failure[];
  /** The trails of all of its requests, in all draws. */
  readonly trails: readonly (readonly TrailEvent[])[];
  /** The trail of the request in lines, if something is wrong; for several draws, the first. */
  readonly story: string;
}

/** The maximum number of sequences of draws of a test; each is a separate run. */
const maxRuns = 2000;

/** The maximum number of requests of a test. */
const maxSteps = 5000;

const toSteps = ({ given = {}, when = {}, checks = {}, before = [] }: RouteTestEntry): readonly RouteStep[] => {
  const { after_ms: _afterMs, ...same } = given;
  const earlier = before.flatMap(({ repeat = 1, given: own, when: replies = {}, checks: verdicts = {} }) =>
    Array.from({ length: repeat }, () => ({ given: { ...same, ...own }, when: replies, checks: verdicts })),
  );
  return [...earlier, { given, when, checks }];
};

interface Runs {
  /** The outcomes of the test's own request, one for each sequence of draws. */
  readonly outcomes: readonly Likely[];
  readonly trails: readonly (readonly TrailEvent[])[];
}

const runAll = async (bench: RouteBench, test: RouteTestEntry): Promise<Runs> => {
  const steps = toSteps(test);
  if (steps.length > maxSteps)
    throw new RouteProblem(`It sends ${steps.length} requests before its own.`, `At most ${maxSteps} can be sent.`);
  const forks = test.expect.one_of !== undefined || test.expect.shares !== undefined;
  const runs = forks
    ? await enumerateRuns((choose) => runSteps(bench, steps, () => exhaustiveDraws(choose)), maxRuns)
    : [{ probability: { numerator: 1n, denominator: 1n }, result: await runSteps(bench, steps, preferredDraws) }];
  return {
    outcomes: runs.flatMap(({ probability, result }) => {
      const outcome = result.at(-1);
      return outcome === undefined ? [] : [{ probability: toNumber(probability), outcome }];
    }),
    trails: runs.flatMap(({ result }) => result.map(({ trail }) => trail)),
  };
};

const compare = ({ expect }: RouteTestEntry, outcomes: readonly Likely[]): readonly Difference[] => {
  const all = outcomes.map(({ outcome }) => outcome);
  // An expectation that applies to every draw is reported once, for the first draw that does not meet it.
  const first = all.map((outcome) => compareOutcome(expect, outcome)).find((found) => found.length > 0) ?? [];
  return [
    ...first,
    ...(expect.one_of === undefined ? [] : compareCalls(expect.one_of, all)),
    ...(expect.shares === undefined ? [] : compareShares(expect.shares, outcomes)),
  ];
};

const storyOf = (outcomes: readonly Likely[], { expect }: RouteTestEntry): string => {
  const wrong = ({ outcome }: Likely): boolean => compareOutcome(expect, outcome).length > 0;
  const shown: RouteOutcome | undefined = (outcomes.find(wrong) ?? outcomes[0])?.outcome;
  return shown === undefined ? '' : trailStory(shown.trail);
};

const problemAt = (
  member: string,
  { message, hint }: { readonly message: string; readonly hint: string },
): RunTest => ({
  failures: [{ kind: 'problem', pointer: childPointer(rootPointer, member), message, hint }],
  trails: [],
  story: '',
});

/** Returns a sentence about what cannot be run; undefined for an internal error. */
const toProblem = (error: unknown): { readonly message: string; readonly hint: string } | undefined => {
  if (error instanceof RouteProblem) return error;
  if (error instanceof TooManyRuns)
    return { message: error.message, hint: 'Send fewer requests before it, or expect "calls" with "prefer".' };
  if (error instanceof LinkError)
    return { message: error.message, hint: 'Name the gateway file that loads its plugins: --config FILE.' };
  if (error instanceof GatewayError) return { message: error.message, hint: 'Correct the request of the test.' };
  if (error instanceof Error && error.message.startsWith('No timer is pending'))
    return { message: 'The request never ends.', hint: 'Give the config a request_timeout, or let the target answer.' };
  return undefined;
};

/** Runs one test on the plan of its config. */
export const runTest = async (bench: RouteBench, test: RouteTestEntry): Promise<RunTest> => {
  const unknown = unknownNames(test, bench.plan);
  if (unknown.length > 0)
    return { failures: unknown.map((each) => ({ kind: 'problem', ...each })), trails: [], story: '' };
  try {
    const { outcomes, trails } = await runAll(bench, test);
    const failures = compare(test, outcomes).map(
      ({ pointer, ...difference }): Failure => ({
        ...difference,
        kind: 'difference',
        pointer: joinPointers(childPointer(rootPointer, 'expect'), pointer),
      }),
    );
    return { failures, trails, story: failures.length === 0 ? '' : storyOf(outcomes, test) };
  } catch (error) {
    const problem = toProblem(error);
    if (problem === undefined) throw error;
    return problemAt('given', problem);
  }
};
