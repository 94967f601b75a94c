import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ById } from '../../../../../plugins/control/metering/counters/by-id.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

/** Only a few different ids, some of which share a list. */
const anyId = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map(String),
  fc.constantFrom('', 'a', '1-0123456789', '2-0123456789', '3-0123456789'),
);

it('ById contains the same things as a map, whatever is added and removed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), anyId), { maxLength: 60 }), (changes) => {
      const things = new ById<{ readonly id: string }>();
      const model = new Map<string, { readonly id: string }>();
      for (const [adds, id] of changes) {
        const known = model.get(id);
        expect(things.get(id)).toBe(known);
        if (adds && known === undefined) {
          const thing = { id };
          things.add(thing);
          model.set(id, thing);
        } else if (!adds) {
          expect(things.take(id)).toBe(known);
          model.delete(id);
        }
        expect(things.size).toBe(model.size);
      }
      expect(new Set(things.all())).toEqual(new Set(model.values()));
    }),
    lawRuns,
  );
});
