import type { Verdict } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { mayReplace } from '../../../plugins/sdk/guardrail/may-replace.ts';
import type { CheckOutcome } from '../../../plugins/sdk/hooks/hook-result.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CheckCall, CheckHook } from '../../../schema/plan/plan.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AnswerMemory } from '../call/answer-bounds.ts';
import type { LinkContext } from '../call/context.ts';
import type { AskedRetry } from '../guardrail-verdicts/asked-retry.ts';
import { checkError, NotChecked } from '../guardrail-verdicts/check-error.ts';
import { type CheckedPart, changedPart } from '../guardrail-verdicts/checked-part.ts';
import type { Changed } from '../guardrail-verdicts/compose-changes.ts';
import type { CreatedCheck, PlanCheck } from '../guardrail-verdicts/created-check.ts';
import { type ReadVerdict, readVerdict } from '../guardrail-verdicts/read-verdict.ts';
import { type Changing, replaceEarlier } from '../guardrail-verdicts/replace-earlier.ts';
import { askCheck } from './ask-check.ts';
import { createCheck } from './create-check.ts';
import type { Subject } from './subject.ts';

/** The default time-out of a check, in milliseconds. */
const defaultCheckMs = 5000;

/** Replaces a check's input if it cannot be read. */
export interface UnreadableInput {
  /** The reason. */
  readonly unreadable: string;
}

/** The verdict and the changes of one check. */
export interface CheckJudgement {
  readonly outcome: CheckOutcome;
  readonly changed?: Changed;
  /** Set if the check requested a change that could not be applied. */
  readonly isUnchanged?: true;
  /** Set if it failed and requests one more attempt. */
  readonly retry?: AskedRetry;
}

/** Never rejects: an error of a check is part of its result. */
export type LinkedCheck = (subject: Subject, part: CheckedPart | UnreadableInput) => MaybePromise<CheckJudgement>;

/** The parts of a check that are the same for all requests. */
interface CheckSettings {
  readonly call: CheckCall;
  readonly clock: Clock;
  readonly answerMemory: AnswerMemory | undefined;
  readonly planned: PlanCheck;
  /** Whether its verdicts may replace texts. If so, it judges earlier texts too. */
  readonly replaces: boolean;
}

/** Returns the data of a verdict whose change could not be applied. Its explanation is dropped if it may claim that it was. */
const withoutChange = (data: Json, why: string): Json =>
  isJsonObject(data) && typeof data.explanation === 'string'
    ? { ...data, explanation: `What the check found was not changed. ${why}` }
    : data;

const nothingMasked = (text: string): string => text;

const changedBy = ({ change, restore }: Changing, part: CheckedPart, { phase }: Subject): Changed | undefined =>
  change === undefined ? undefined : { change, part: changedPart(part, change, phase), restore };

/** One run of a check on a part. */
class CheckRun {
  readonly #settings: CheckSettings;
  readonly #subject: Subject;
  readonly #began: number;
  #created: CreatedCheck | undefined;

  constructor(settings: CheckSettings, subject: Subject) {
    this.#settings = settings;
    this.#subject = subject;
    this.#began = settings.clock.monotonic();
  }

  judge(part: CheckedPart | UnreadableInput): MaybePromise<CheckJudgement> {
    try {
      if ('unreadable' in part) throw new NotChecked(part.unreadable);
      const created = this.#settings.planned.of(this.#subject.call.exchange);
      this.#created = created;
      const asked = this.#ask(created, part);
      return asked instanceof Promise ? this.#awaited(asked, part) : this.#read(asked, part);
    } catch (error) {
      return this.#threw(error);
    }
  }

  #awaited(asked: Promise<Verdict>, part: CheckedPart): Promise<CheckJudgement> {
    return asked.then((verdict) => this.#read(verdict, part)).catch((error: unknown) => this.#threw(error));
  }

  #ask({ check }: CreatedCheck, part: CheckedPart): MaybePromise<Verdict> {
    const { clock, call, planned, answerMemory } = this.#settings;
    const { phase, call: leafCall } = this.#subject;
    const takeMemory =
      this.#subject.takeMemory ?? (answerMemory && ((bytes: number) => answerMemory.take(bytes, leafCall.exchange)));
    // Each attempt has its own answer, which is judged anew.
    const memo = phase === 'input' && planned.isShared ? leafCall.run.verdicts : undefined;
    const timeoutMs = call.timeoutMs ?? defaultCheckMs;
    return askCheck(check, { subject: this.#subject, part, memo, clock, timeoutMs, takeMemory });
  }

  /** Returns the judgement of a verdict. Throws if it is not a verdict. */
  #read(found: Verdict, part: CheckedPart): MaybePromise<CheckJudgement> {
    const verdict = readVerdict(found, this.#subject.phase);
    if ('error' in verdict) return this.#unchanged(verdict.error, verdict);
    if (this.#subject.isBackground) return { outcome: this.#outcome(verdict) };
    return this.#settings.replaces || verdict.change !== undefined ? this.#change(verdict, part) : this.#said(verdict);
  }

  /** Returns the judgement with its changes, including those in earlier texts. */
  async #change(verdict: ReadVerdict, part: CheckedPart): Promise<CheckJudgement> {
    try {
      const created = this.#created;
      if (created === undefined) return this.#said(verdict);
      const whole = await replaceEarlier(verdict, part, (earlier) => this.#ask(created, earlier));
      const changed = changedBy(whole, part, this.#subject);
      const said = 'error' in whole ? this.#fault(whole, verdict) : this.#said(verdict);
      return changed === undefined ? said : { ...said, outcome: { ...said.outcome, transformed: true }, changed };
    } catch (error) {
      return this.#unchanged(error, verdict);
    }
  }

  /** Returns the judgement. An attempt that the check requests counts only if the config allows it. */
  #said(verdict: ReadVerdict): CheckJudgement {
    const outcome = this.#outcome(verdict);
    const { retry } = verdict;
    return retry !== undefined && this.#settings.call.retries === true ? { outcome, retry } : { outcome };
  }

  #fault({ error, hasThrown }: Changing, verdict: ReadVerdict): CheckJudgement {
    return hasThrown === true ? this.#failed(error, verdict) : this.#unchanged(error, verdict);
  }

  #unchanged(error: unknown, verdict: Pick<ReadVerdict, 'pass' | 'data'>): CheckJudgement {
    const { outcome } = this.#failed(error, verdict);
    const message = isJsonObject(outcome.error) ? outcome.error.message : undefined;
    const data = withoutChange(outcome.data, typeof message === 'string' ? message : '');
    return { outcome: { ...outcome, data }, isUnchanged: true };
  }

  #threw(error: unknown): CheckJudgement {
    return this.#failed(error, { pass: true, data: null });
  }

  #failed(thrown: unknown, { pass, data }: Pick<ReadVerdict, 'pass' | 'data'>): CheckJudgement {
    const { failOnError } = this.#settings.call;
    const error = checkError(thrown, this.#created?.masked ?? nothingMasked);
    const outcome = this.#outcome({ pass: pass && !failOnError, data, log: null });
    return { outcome: { ...outcome, error, fail_on_error: failOnError } };
  }

  #outcome({ pass, data, log }: Pick<ReadVerdict, 'pass' | 'data' | 'log'>): CheckOutcome {
    const { call, clock } = this.#settings;
    const outcome: CheckOutcome = {
      id: call.id,
      execution_time: Math.round(clock.monotonic() - this.#began),
      created_at: Math.floor(clock.wall() / 1000),
      transformed: false,
      log: this.#shown(log),
      verdict: pass,
      data: this.#shown(data),
    };
    // The answer may be that of a retry that checks requested.
    return call.retries === true && this.#subject.call.retryTurns !== undefined
      ? { ...outcome, retried: true }
      : outcome;
  }

  #shown(said: Json): Json {
    return this.#created?.shown(said) ?? said;
  }
}

/**
 * Links a check. If it throws, or its input is unreadable, it passes with the error in its result, unless it is configured to
 * fail on errors. Changes made in the background are not used.
 */
export const linkCheck = (call: CheckCall, type: CheckHook['type'], context: LinkContext): LinkedCheck => {
  const settings: CheckSettings = {
    call,
    clock: context.ports.clock,
    answerMemory: context.ports.answerMemory,
    planned: createCheck(call, context),
    replaces: type === 'mutator' || mayReplace(call, context.names.check),
  };
  return (subject, part) => new CheckRun(settings, subject).judge(part);
};
