import { expect, it } from 'vitest';
import { mirrorArm } from '../../../../runtime/engine/mirrors/mirror-arm.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { type UsageRecord, unusedRecord } from '../../../../schema/usage/usage-record.ts';

const costOf = (...usages: readonly UsageRecord[]): number | undefined =>
  mirrorArm({
    traceId: 't',
    events: usages.map((usage) => ({ kind: 'settled', path: toPointer([]), target: 't', attempt: 1, usage }) as const),
    response: { status: 200, origin: 'upstream' },
    ms: 1,
  }).nanoUsd;

it('an arm of a mirror costs what its attempts cost, also for answers that report no tokens', () => {
  const spoken: UsageRecord = { ...unusedRecord('tts-1'), unmeasured: true };
  const priced: UsageRecord = { ...spoken, cost: { nanoUsd: 30_000_000, prices: 'gateway file' } };
  expect([costOf(), costOf(unusedRecord()), costOf(unusedRecord(), priced)]).toEqual([undefined, 0, 30_000_000]);
  expect(costOf(priced, spoken)).toBeUndefined();
});
