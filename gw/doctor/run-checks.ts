import { systemClock } from '../../runtime/in-memory/system-clock.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { Check, Finding } from './set-up/finding.ts';
import type { SetUp } from './set-up/set-up.ts';

/** A finding, and the check that found it. */
export interface CheckFinding extends Finding {
  readonly check: string;
}

/** Resolves to `late` if a promise has not settled in time. */
const within = <Value>(ms: number, promise: Promise<Value>, late: Value): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = systemClock.after(ms, () => resolve(late));
    promise.then(resolve, reject).finally(stop);
  });

const late = (id: string, ms: number): Finding => ({
  severity: 'warning',
  subject: id,
  what: `This check did not finish within ${Math.round(ms / 100) / 10} seconds.`,
  remedy: 'Run it again when the machine is less busy, or allow more time: --timeout-ms.',
});

const runOne = async (check: Check, setUp: SetUp): Promise<readonly CheckFinding[]> => {
  const { id } = check;
  // Checks that call several services one after another have enough time for each.
  const ms = 3 * setUp.timeoutMs;
  const failed = (error: unknown): readonly Finding[] => [
    {
      severity: 'warning',
      subject: id,
      what: `This check failed: ${errorText(error)}.`,
      remedy: 'Report it: this is a bug in gw doctor.',
    },
  ];
  const running = Promise.resolve()
    .then(() => check.run(setUp))
    .catch(failed);
  return (await within(ms, running, [late(id, ms)])).map((finding) => ({ check: id, ...finding }));
};

/** Runs checks at the same time, each with its time-out, and returns their findings in the order of the checks. */
export const runChecks = async (checks: readonly Check[], setUp: SetUp): Promise<readonly CheckFinding[]> =>
  (await Promise.all(checks.map((check) => runOne(check, setUp)))).flat();
