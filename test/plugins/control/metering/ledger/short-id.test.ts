import fc from 'fast-check';
import { expect, it } from 'vitest';
import { correctionId } from '../../../../../plugins/control/metering/counters/limits.ts';
import { shortId } from '../../../../../plugins/control/metering/ledger/short-id.ts';

const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map(correctionId),
  fc.uuid().map(shortId),
  fc.stringMatching(/^~{0,3}[-\w]{22}~{0,2}$/),
  fc.string(),
);

it('two different ids never have the same short id', () => {
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      expect(shortId(one) === shortId(other)).toBe(one === other);
    }),
    { numRuns: 2000 },
  );
});

it('short ids of UUIDs sort like the UUIDs, and have 22 characters', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(shortId(one) < shortId(other)).toBe(one < other);
      expect([shortId(one).length, shortId(correctionId(one))]).toEqual([22, `${shortId(one)}~`]);
    }),
  );
});
