import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinedTexts, TextKeeper } from '../../../../plugins/control/store/kept-texts.ts';
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

it('joins texts to one that is JSON if they are', () => {
  const keeper = new TextKeeper();
  for (const values of [[], [1], [1, 'ö', { a: [null] }]]) {
    const texts = values.map((value) => keeper.keep(JSON.stringify(value)));
    const joined = Buffer.from(joinedTexts(texts, { before: '{"all":[', between: ',', after: ']}' })).toString();
    expect(JSON.parse(joined)).toEqual({ all: values });
  }
});
