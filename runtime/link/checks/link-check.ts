import type { Verdict } from '../../../plugins/sdk/guardrail.ts';
import type { CheckOutcome } from '../../../plugins/sdk/hook-result.ts';
import type { CheckCall, CheckHook } from '../../../schema/plan.ts';
import type { LinkContext } from '../context.ts';
import { askCheck } from './ask-check.ts';
import type { AskedRetry } from './asked-retry.ts';
import { type CheckedPart, changedPart } from './checked-part.ts';
import type { Changed } from './compose-changes.ts';
import { createCheck } from './create-check.ts';
import { mayReplace } from './may-replace.ts';
import { type ReadVerdict, readVerdict } from './read-verdict.ts';
import { type Changing, replaceEarlier } from './replace-earlier.ts';
import type { Subject } from './subject.ts';
import { toldError } from './told-error.ts';

/** The default time-out of a check, in milliseconds. */
const defaultCheckMs = 5000;

/** Replaces a check's input if it cannot be read. */
export interface UnreadableInput {
  /** Why. */
  readonly unreadable: string;
}

/** What one check said, and what it changed. */
export interface CheckJudgement {
  readonly outcome: CheckOutcome;
  readonly changed?: Changed;
  /** The check wanted a change that could not be made. */
  readonly isUnchanged?: true;
  /** It failed, and asks for one more attempt. */
  readonly retry?: AskedRetry;
}

/** Never rejects: an error of a check is part of its result. */
export type LinkedCheck = (subject: Subject, part: CheckedPart | UnreadableInput) => Promise<CheckJudgement>;

const changedBy = ({ change, restore }: Changing, part: CheckedPart, { phase }: Subject): Changed | undefined =>
  change === undefined ? undefined : { change, part: changedPart(part, change, phase), restore };

/** The attempt that a check asks for, if the config lets it ask. */
const retryOf = ({ retry }: Pick<ReadVerdict, 'retry'>, retries: boolean): Pick<CheckJudgement, 'retry'> =>
  retries && retry !== undefined ? { retry } : {};

/**
 * A check ready to run. If it throws, or its input is unreadable, it passes with the error in its result, unless it is
 * set to fail on errors. What it changes in the background is not used.
 */
export const linkCheck = (call: CheckCall, type: CheckHook['type'], context: LinkContext): LinkedCheck => {
  const { id, failOnError, timeoutMs = defaultCheckMs, retries = false } = call;
  const { clock } = context.ports;
  const created = createCheck(call, context);
  const replaces = type === 'mutator' || mayReplace(call, context.names.check);
  return async (subject, part) => {
    const began = clock.monotonic();
    let masked = (text: string): string => text;
    const outcome = (found: Pick<CheckOutcome, 'verdict' | 'data'> & Partial<CheckOutcome>): CheckOutcome => ({
      id,
      execution_time: Math.round(clock.monotonic() - began),
      created_at: Math.floor(clock.wall() / 1000),
      transformed: false,
      log: null,
      // What is judged is the answer to a retry that checks asked for.
      ...(retries && subject.call.retryTurns !== undefined ? { retried: true } : {}),
      ...found,
    });
    const failed = (thrown: unknown, { pass, data }: Pick<ReadVerdict, 'pass' | 'data'>): CheckJudgement => ({
      outcome: outcome({
        verdict: pass && !failOnError,
        data,
        error: toldError(thrown, masked),
        fail_on_error: failOnError,
      }),
    });
    const unchanged: typeof failed = (fault, verdict) => ({ ...failed(fault, verdict), isUnchanged: true });
    try {
      if ('unreadable' in part) throw new TypeError(part.unreadable);
      const { check, masked: ownMask } = created(subject.call.exchange);
      masked = ownMask;
      const ask = (asked: CheckedPart): Promise<Verdict> => askCheck(check, { subject, part: asked, clock, timeoutMs });
      const verdict = readVerdict(await ask(part), subject.phase);
      if ('fault' in verdict) return unchanged(verdict.fault, verdict);
      try {
        const { pass, data, log } = verdict;
        if (subject.isBackground) return { outcome: outcome({ verdict: pass, data, log }) };
        const mayReplace = replaces || verdict.change !== undefined;
        const whole: Changing = mayReplace ? await replaceEarlier(verdict, part, ask) : verdict;
        const changed = changedBy(whole, part, subject);
        const erred = whole.hasThrown === true ? failed : unchanged;
        const said: CheckJudgement =
          'fault' in whole
            ? erred(whole.fault, verdict)
            : { outcome: outcome({ verdict: pass, data, log }), ...retryOf(verdict, retries) };
        return changed === undefined ? said : { ...said, outcome: { ...said.outcome, transformed: true }, changed };
      } catch (fault) {
        return unchanged(fault, verdict);
      }
    } catch (error) {
      return failed(error, { pass: true, data: null });
    }
  };
};
