import type { Check, CheckInput, Verdict } from '../../../plugins/sdk/guardrail.ts';
import { toError } from '../../../schema/error-text.ts';
import type { CheckCall } from '../../../schema/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LinkContext } from '../context.ts';
import type { CheckOutcome } from './hook-result.ts';
import { shownData } from './shown-data.ts';

/** The default time-out of a check, in milliseconds. */
const defaultCheckMs = 5000;

/** Replaces a check's input if it cannot be read. */
export interface UnreadableInput {
  /** Why. */
  readonly unreadable: string;
}

export type LinkedCheck = (input: CheckInput | UnreadableInput) => Promise<CheckOutcome>;

/** Other promise implementations are awaited too, with the same time-out. */
const isThenable = (verdict: Verdict | Promise<Verdict>): verdict is Promise<Verdict> =>
  typeof verdict === 'object' && verdict !== null && 'then' in verdict;

/** The verdict, unless it takes too long; a check that answers at once needs no timer. */
const verdictInTime = (verdict: Verdict | Promise<Verdict>, clock: Clock, ms: number): Verdict | Promise<Verdict> => {
  if (!isThenable(verdict)) return verdict;
  return new Promise((settle, reject) => {
    const stop = clock.after(ms, () => reject(new Error(`The check did not answer within ${ms} ms.`)));
    Promise.resolve(verdict).then(settle, reject).finally(stop);
  });
};

const createCheck = ({ check, parameters }: CheckCall, { names, checks, services }: LinkContext): Check => {
  const key = `${check} ${JSON.stringify(parameters)}`;
  const known = checks.get(key);
  if (known !== undefined) return known;
  const guardrail = names.check(check);
  if (guardrail === undefined) throw new RangeError(`There is no check "${check}".`);
  const created = guardrail.create(parameters, services);
  checks.set(key, created);
  return created;
};

/**
 * A check ready to run. If it throws, or its input is unreadable, it passes with the error in its result, unless it is
 * set to fail on errors.
 */
export const linkCheck = (call: CheckCall, context: LinkContext): LinkedCheck => {
  const { id, failOnError, timeoutMs = defaultCheckMs } = call;
  const { clock } = context.ports;
  const check = createCheck(call, context);
  return async (input) => {
    const began = clock.monotonic();
    const outcome = (found: Pick<CheckOutcome, 'verdict'> & { readonly [member: string]: unknown }): CheckOutcome =>
      ({
        id,
        execution_time: Math.round(clock.monotonic() - began),
        created_at: Math.floor(clock.wall() / 1000),
        transformed: false,
        log: null,
        ...found,
      }) as CheckOutcome;
    try {
      if ('unreadable' in input) throw new TypeError(input.unreadable);
      const found = await verdictInTime(check(input, timeoutMs), clock, timeoutMs);
      // A plugin that was not type-checked may return anything.
      if (typeof found?.pass !== 'boolean') throw new TypeError('The check returned no verdict.');
      return outcome({ verdict: found.pass, data: shownData(found.data) });
    } catch (error) {
      const { name, message } = toError(error);
      return outcome({ verdict: !failOnError, data: null, error: { name, message }, fail_on_error: failOnError });
    }
  };
};
