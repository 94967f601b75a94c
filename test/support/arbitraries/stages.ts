import fc from 'fast-check';
import type { StatusRule } from '../../../schema/http/status.ts';
import {
  type BreakerStage,
  type CheckHook,
  type InputChecksStage,
  type OutputChecksStage,
  type RetryStage,
  type Stage,
  type StageKind,
  type StageOf,
  stageOrder,
} from '../../../schema/plan/plan.ts';
import { scriptedCheck } from './scripted.ts';

/** The statuses that occur in the rules of generated plans. */
const ruleCodes: readonly number[] = [200, 246, 400, 408, 429, 446, 500, 502, 503];

const codes = (pool: readonly number[]): fc.Arbitrary<readonly number[]> => fc.subarray([...pool], { maxLength: 4 });

/** The statuses on which a fallback continues. One in ten never continues. */
export const trigger: fc.Arbitrary<StatusRule> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<StatusRule>({ kind: 'not-2xx' }) },
  { weight: 4, arbitrary: codes(ruleCodes).map((list): StatusRule => ({ kind: 'codes', codes: list })) },
  { weight: 1, arbitrary: fc.constantFrom<StatusRule>({ kind: 'codes', codes: [] }, { kind: 'codes', codes: [99] }) },
);

/** The divisions of circuits. Half of the breakers have a single circuit. */
const divisions = fc.constantFrom<BreakerStage['by'][]>(
  undefined,
  undefined,
  undefined,
  ['model'],
  ['error'],
  ['model', 'error'],
);

/** One in four breakers has a probe, at a time when nothing else happens. */
const probe = fc.constantFrom<BreakerStage['probe'][]>(undefined, undefined, undefined, {
  path: '/models',
  everyMs: 10_000 + 2 ** -10,
});

const breaker: fc.Arbitrary<BreakerStage> = fc
  .record({
    by: divisions,
    probe,
    kind: fc.constant('breaker' as const),
    threshold: fc.constantFrom(1, 1, 2),
    cooldownMs: fc.constantFrom(30_000, 60_000),
    failures: fc.oneof(
      fc.constant<StatusRule>({ kind: 'breaker-default' }),
      codes([200, 400, 408, 429, 500, 502]).map((list): StatusRule => ({ kind: 'codes', codes: list })),
    ),
  })
  .map(({ by, probe: asked, ...stage }) => ({ ...stage, ...(by && { by }), ...(asked && { probe: asked }) }));

const retry: fc.Arbitrary<RetryStage> = fc.record({
  kind: fc.constant('retry'),
  attempts: fc.constantFrom(1, 1, 2),
  on: codes([246, 408, 429, 446, 500, 503]),
  useRetryAfter: fc.boolean(),
});

/** Output checks can request one more attempt. */
const hook = (id: string, mayRetry: boolean): fc.Arbitrary<CheckHook> =>
  fc
    .record({
      type: fc.constantFrom<CheckHook['type'][]>('guardrail', 'guardrail', 'mutator'),
      async: fc.constantFrom(false, false, false, true),
      onFail: fc.boolean(),
      onSuccess: fc.constantFrom(false, false, false, true),
      retries: mayRetry ? fc.boolean() : fc.constant(false),
    })
    .map(({ type, async, onFail, onSuccess, retries }) => ({
      id,
      type,
      async,
      deny: { onFail, onSuccess },
      feedback: {},
      checks: [
        {
          check: scriptedCheck,
          id: scriptedCheck,
          parameters: { hook: id },
          failOnError: false,
          ...(retries ? { retries } : {}),
        },
      ],
    }));

const hooks = (ids: readonly string[], mayRetry: boolean): fc.Arbitrary<InputChecksStage['hooks']> =>
  fc
    .tuple(...ids.map((id) => hook(id, mayRetry)))
    .chain((list) => fc.subarray(list, { minLength: 1 }))
    .filter((list): list is [CheckHook, ...CheckHook[]] => list.length > 0);

const inputChecks: fc.Arbitrary<InputChecksStage> = hooks(['in-a', 'in-b'], false).map((list) => ({
  kind: 'input-checks',
  hooks: list,
}));

const outputChecks: fc.Arbitrary<OutputChecksStage> = hooks(['out-a', 'out-b'], true).map((list) => ({
  kind: 'output-checks',
  hooks: list,
}));

/** Each kind of stage with its frequency in leaves, or nothing for stages that no gateway runs. */
const kinds: {
  readonly [Kind in StageKind]: { readonly every: number; readonly stage: fc.Arbitrary<StageOf<Kind>> } | undefined;
} = {
  breaker: { every: 2, stage: breaker },
  'input-checks': { every: 6, stage: inputChecks },
  cache: undefined,
  retry: { every: 3, stage: retry },
  'output-checks': { every: 6, stage: outputChecks },
};

const sometimes = (kind: StageKind): fc.Arbitrary<Stage | undefined> => {
  const row = kinds[kind];
  if (row === undefined) return fc.constant(undefined);
  const none = { weight: row.every - 1, arbitrary: fc.constant(undefined) };
  return fc.oneof(none, { weight: 1, arbitrary: row.stage });
};

/** The stages of a leaf in order. */
export const stages: fc.Arbitrary<readonly Stage[]> = fc
  .tuple(...stageOrder.map(sometimes))
  .map((list) => list.filter((stage) => stage !== undefined));
