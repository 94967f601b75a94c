import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateUse, LearnedUse } from '../../../../plugins/sdk/models/learned-use.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const attempt = { target: 't', provider: 'openai', model: 'm', bodyBytes: 4000 };

it('expects four bytes a token, and as much output as the request allows', () => {
  const learned = new LearnedUse();
  const { input, output } = estimateUse({ ...attempt, maxOutput: 77 }, { learned, name: 'm' });
  expect([input.total, output.total]).toEqual([1000, 77]);
});

it('expects the usage of earlier attempts with the same name', () => {
  const learned = new LearnedUse();
  for (let at = 0; at < 20; at += 1) learned.see('m', { bodyBytes: 2000, input: 1000, output: 1234 });
  const { input, output } = estimateUse(attempt, { learned, name: 'm' });
  expect([input.total, output.total]).toEqual([2000, 1234]);
  expect(estimateUse(attempt, { learned, name: 'other' }).input.total).toBe(1000);
});

it('expects the page count of earlier documents, and the number of other units that a request specifies', () => {
  const learned = new LearnedUse();
  const asking = (calls: Readonly<Record<string, number>>) =>
    estimateUse({ ...attempt, calls }, { learned, name: 'm' }).calls;
  expect(asking({ image: 4 })).toEqual({ image: 4 });
  expect(asking({ page: 1 })).toEqual({ page: 1 });
  learned.see('m', { bodyBytes: 100, input: 0, output: 0, pages: 1000 });
  expect(asking({ page: 1 })).toEqual({ page: 2 });
  for (let at = 0; at < 20; at += 1) learned.see('m', { bodyBytes: 100, input: 0, output: 0, pages: 30 });
  expect(asking({ page: 1 })).toEqual({ page: 30 });
  expect(asking({ image: 1 })).toEqual({ image: 1 });
  expect(estimateUse(attempt, { learned, name: 'm' }).calls).toBeUndefined();
});

it('changes little after one answer, however unusual it is', () => {
  const figure = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 2 ** 40 }));
  fc.assert(
    fc.property(figure, figure, figure, (bodyBytes, input, output) => {
      const learned = new LearnedUse();
      for (let at = 0; at < 50; at += 1) learned.see('m', { bodyBytes: 4000, input: 1000, output: 100 });
      learned.see('m', { bodyBytes, input, output });
      const { bytesPerToken, output: usual } = learned.expected('m');
      expect(bytesPerToken).toBeGreaterThanOrEqual(3.2);
      expect(bytesPerToken).toBeLessThanOrEqual(5);
      expect(usual).toBeGreaterThanOrEqual(66);
      expect(usual).toBeLessThanOrEqual(151);
    }),
    lawRuns,
  );
});

it('expects whole numbers, whatever a request specifies', () => {
  const learned = new LearnedUse();
  const most = fc.oneof(fc.double(), fc.integer());
  fc.assert(
    fc.property(most, fc.nat(), (maxOutput, bodyBytes) => {
      const { input, output } = estimateUse({ ...attempt, maxOutput, bodyBytes }, { learned, name: 'm' });
      for (const { total } of [input, output]) {
        expect(Number.isSafeInteger(total)).toBe(true);
        expect(total).toBeGreaterThanOrEqual(0);
      }
    }),
    lawRuns,
  );
});

it('names a request by its workspace, provider and model, in at most 300 characters', () => {
  const learned = new LearnedUse();
  const part = fc.constantFrom('a', 'b', 'c', 'm'.repeat(400));
  fc.assert(
    fc.property(fc.array(fc.tuple(part, part, part), { maxLength: 20 }), (sent) => {
      for (const [workspace, provider, model] of sent)
        expect(learned.name(workspace, provider, model)).toBe(`${workspace} ${provider} ${model}`.slice(0, 300));
    }),
    lawRuns,
  );
  for (let at = 0; at < 12_000; at += 1) expect(learned.name('w', 'p', `m${at}`)).toBe(`w p m${at}`);
});
