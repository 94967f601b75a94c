import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import { isNonEmpty } from '../../../schema/json/json.ts';
import type { CheckHook } from '../../../schema/plan/plan.ts';
import type { CheckPhase, CheckResult } from '../../../schema/trail/trail.ts';
import { allMaybe, type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { askedByAll, type RetryTurns, retryTurns } from '../guardrail-verdicts/asked-retry.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import { type Changed, composeChanges, inTurn } from '../guardrail-verdicts/compose-changes.ts';
import { checkedEvent } from './checked-event.ts';
import type { UnreadableInput } from './link-check.ts';
import { type HookJudgement, type LinkedHook, linkHook } from './link-hook.ts';
import type { Subject } from './subject.ts';

export interface ChecksFound {
  readonly result: CheckResult;
  /** Absent if every hook runs in the background. */
  readonly results: readonly HookResult[] | undefined;
  /** The changes of the checks to the part. Absent if they changed nothing, or deny it. */
  readonly changed?: Changed;
  /** The turns for one more attempt, if the checks request it. */
  readonly retry?: RetryTurns;
}

/** Judges a request, an answer, or a part of a stream with the hooks of a stage. */
export type RunChecks = (call: LeafCall, part: CheckedPart | UnreadableInput) => MaybePromise<ChecksFound>;

const toResult = (results: readonly HookResult[]): CheckResult => {
  if (results.some(({ deny }) => deny)) return 'denied';
  return results.every(({ verdict }) => verdict) ? 'passed' : 'failed';
};

const passed: ChecksFound = { result: 'passed', results: undefined };

export interface Found {
  readonly judged: readonly HookJudgement[];
  readonly changed?: Changed | undefined;
}

const denies = ({ result }: HookJudgement): boolean => result.deny;

export const isDenied = ({ judged }: Found): boolean => judged.some(denies);

/** Joins a hook's result for a text with its result for the text before another hook changed it. */
const bothTimes = (first: HookResult, { result, ...second }: HookJudgement): HookJudgement => ({
  ...second,
  result: { ...result, verdict: first.verdict && result.verdict, deny: first.deny || result.deny },
});

/** Returns the turns for one more attempt, if every hook that fails or denies requests it. */
const findRetry = ({ judged }: Found, part: CheckedPart | UnreadableInput): RetryTurns | undefined => {
  const asked = askedByAll(judged.filter(({ result }) => result.deny || !result.verdict));
  return asked === undefined || 'unreadable' in part ? undefined : retryTurns(asked, part);
};

const hookAt = (hooks: readonly LinkedHook[], index: number): LinkedHook => {
  const hook = hooks[index];
  if (hook === undefined) throw new RangeError(`There is no hook ${index}.`);
  return hook;
};

/** Guardrails all judge the same part. Mutators then change what these leave, one after another in order. */
export const judgeAll = (
  guardrails: readonly LinkedHook[],
  mutators: readonly LinkedHook[],
  phase: CheckPhase,
): ((call: LeafCall, part: CheckedPart) => MaybePromise<Found>) => {
  const mutate = async (subject: Subject, part: CheckedPart, found: Found): Promise<Found> => {
    const last = await inTurn(
      found.changed?.part ?? part,
      mutators.map((run) => (current) => run(subject, current)),
      ({ result }) => result.deny,
    );
    const judged = [...found.judged, ...last.judged];
    if (found.changed === undefined || last.changed === undefined)
      return { judged, changed: last.changed ?? found.changed };
    return {
      judged,
      changed: { part: last.changed.part, restore: [...found.changed.restore, ...last.changed.restore] },
    };
  };

  const compose = (subject: Subject, part: CheckedPart, judged: readonly HookJudgement[]): MaybePromise<Found> =>
    composeChanges({
      judged,
      base: part,
      phase,
      again: (index, current) =>
        thenMaybe(hookAt(guardrails, index)(subject, current), (second) => {
          const { result } = judged[index] ?? {};
          return result === undefined ? second : bothTimes(result, second);
        }),
    });

  return (call, part) => {
    const subject = { phase, call, isBackground: false };
    return thenMaybe(allMaybe(guardrails.map((run) => run(subject, part))), (judged) =>
      isDenied({ judged })
        ? { judged }
        : thenMaybe(compose(subject, part, judged), (found) =>
            isDenied(found) || !isNonEmpty(mutators) ? found : mutate(subject, part, found),
          ),
    );
  };
};

/** Notes on a request that one of its hooks runs in the background, for code that logs what its hooks find. */
const noteRunning = ({ labels }: Exchange, ended: Promise<void> | undefined): void => {
  if (labels === undefined || ended === undefined) return;
  labels.background = labels.background === undefined ? ended : Promise.all([labels.background, ended]);
};

/** Returns the approximate number of bytes that a background hook holds. */
const heldBytes = ({ exchange }: LeafCall, part: CheckedPart | UnreadableInput): number => {
  const { body } = exchange.request;
  return (body.kind === 'bytes' ? body.bytes.length : 0) + ('unreadable' in part ? 0 : part.text.length);
};

/**
 * Links the hooks of one phase. Background hooks are started but not awaited, and change nothing, so a mutator would have no
 * effect there and is omitted.
 */
export const linkChecks = (phase: CheckPhase, hooks: readonly CheckHook[], context: LinkContext): RunChecks => {
  /** The positions of the hooks in the config's order. */
  const places: number[] = [];
  const linked = (which: (hook: CheckHook) => boolean): readonly LinkedHook[] =>
    hooks.flatMap((hook, place) => {
      if (!which(hook)) return [];
      places.push(place);
      return [linkHook(hook, context)];
    });
  const guardrails = linked(({ async, type }) => !async && type === 'guardrail');
  const mutators = linked(({ async, type }) => !async && type === 'mutator');
  const background = linked(({ async, type }) => async && type === 'guardrail');
  const judge = judgeAll(guardrails, mutators, phase);

  const report = ({ originalExchange, leaf: { path } }: LeafCall, result: HookResult): void =>
    context.notices.judged({ path, phase, result }, originalExchange);

  const judgeUnreadable = (call: LeafCall, part: UnreadableInput): MaybePromise<Found> => {
    const subject = { phase, call, isBackground: false };
    return thenMaybe(allMaybe([...guardrails, ...mutators].map((run) => run(subject, part))), (judged) => ({ judged }));
  };

  const startBackground = (call: LeafCall, part: CheckedPart | UnreadableInput): void => {
    for (const run of background) {
      const ended = context.background.start(
        async (takeMemory) => {
          const { result } = await run({ phase, call, isBackground: true, takeMemory }, part);
          report(call, result);
        },
        heldBytes(call, part),
      );
      noteRunning(call.originalExchange, ended);
    }
  };

  // Guardrails judge before mutators, regardless of their order.
  const isSorted = !isNonEmpty(guardrails) || !isNonEmpty(mutators);
  const inConfigOrder = (results: readonly HookResult[]): readonly HookResult[] =>
    isSorted
      ? results
      : results
          .map((result, index) => ({ result, place: places[index] ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ result }) => result);

  const conclude = (call: LeafCall, part: CheckedPart | UnreadableInput, found: Found): ChecksFound => {
    const results = inConfigOrder(found.judged.map(({ result }) => result));
    for (const each of results) report(call, each);
    const result = toResult(results);
    call.exchange.trail.push(checkedEvent({ path: call.leaf.path, phase, result }, results));
    const retry = findRetry(found, part);
    return {
      result,
      results,
      ...(retry === undefined ? {} : { retry }),
      ...(found.changed === undefined || result === 'denied' ? {} : { changed: found.changed }),
    };
  };

  return (call, part) => {
    startBackground(call, part);
    if (guardrails.length + mutators.length === 0) return passed;
    const found = 'unreadable' in part ? judgeUnreadable(call, part) : judge(call, part);
    return thenMaybe(found, (each) => conclude(call, part, each));
  };
};
