import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinedLines, TextKeeper } from '../../../../plugins/control/store/kept-texts.ts';
import { lawRuns } from '../../../support/law-runs.ts';

it('keeps every text as it is, however many come after it and however long they are', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat({ max: 400_000 }).map((length) => 'é'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(text), (given) => {
      const keeper = new TextKeeper();
      const kept = given.map((each) => keeper.keep(each));
      expect(kept.map(String)).toEqual(given.map((each) => each.toWellFormed()));
    }),
    { ...lawRuns, numRuns: 100 },
  );
});

it('joins texts to lines', () => {
  const keeper = new TextKeeper();
  for (const texts of [['1'], ['1', 'ö', '{}']]) {
    const joined = joinedLines(texts.map((text) => keeper.keep(text)));
    expect(Buffer.from(joined).toString().split('\n')).toEqual(texts);
  }
});
