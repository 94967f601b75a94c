import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Prices } from '../../../../runtime/ports/prices.ts';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import { toUsageRecord, type UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const call = { provider: 'anyone', listedAs: 'anyone', model: 'm', at: 0 };

type Sort =
  | ('plain' | 'read' | 'written' | 'writtenForHour' | 'inputAudio' | 'inputImage')
  | ('said' | 'reasoned' | 'outputAudio' | 'outputImage');
type Sorts = Readonly<Record<Sort, number>>;

/** The number of tokens of each sort. No token has two sorts. */
const sorts: fc.Arbitrary<Sorts> = fc.record({
  plain: fc.nat(200_000),
  read: fc.nat(200_000),
  written: fc.nat(200_000),
  writtenForHour: fc.nat(200_000),
  inputAudio: fc.nat(50_000),
  inputImage: fc.nat(50_000),
  said: fc.nat(100_000),
  reasoned: fc.nat(100_000),
  outputAudio: fc.nat(50_000),
  outputImage: fc.nat(50_000),
});
/** In ten-thousandths of a US dollar per million tokens. */
const price = fc.nat(5_000_000);
const prices: fc.Arbitrary<Sorts> = fc.record({
  ...{ plain: price, read: price, written: price, writtenForHour: price, inputAudio: price, inputImage: price },
  ...{ said: price, reasoned: price, outputAudio: price, outputImage: price },
});

const toRecord = (tokens: Sorts): UsageRecord => {
  const { plain, read, written, writtenForHour, inputAudio, inputImage } = tokens;
  const { said, reasoned, outputAudio, outputImage } = tokens;
  return toUsageRecord(
    {
      input: plain + read + written + writtenForHour + inputAudio + inputImage,
      output: said + reasoned + outputAudio + outputImage,
      ...{ cacheRead: read, cacheWrite: written + writtenForHour, cacheWriteByTtl: { '1h': writtenForHour } },
      ...{ inputAudio, inputImage, reasoning: reasoned, outputAudio, outputImage },
    },
    { kind: 'reported', model: 'm' },
  );
};

const toPrices = (each: Sorts): Prices =>
  createPrices({
    anyone: {
      '*': {
        ...{ input: each.plain / 1e4, cache_read: each.read / 1e4, cache_write: each.written / 1e4 },
        ...{ cache_write_1h: each.writtenForHour / 1e4, input_audio: each.inputAudio / 1e4 },
        ...{ input_image: each.inputImage / 1e4, output: each.said / 1e4, reasoning: each.reasoned / 1e4 },
        ...{ output_audio: each.outputAudio / 1e4, output_image: each.outputImage / 1e4 },
      },
    },
  });

const names = [
  ...(['plain', 'read', 'written', 'writtenForHour', 'inputAudio', 'inputImage'] as const),
  ...(['said', 'reasoned', 'outputAudio', 'outputImage'] as const),
] as const;

it('the cost is the sum over all sorts of tokens, to the nano-dollar, rounded up once', () => {
  fc.assert(
    fc.property(sorts, prices, (tokens, each) => {
      // Ten-thousandths of a dollar per million tokens are tenths of a nano-dollar per token.
      const tenths = names.reduce((sum, name) => sum + BigInt(tokens[name]) * BigInt(each[name]), 0n);
      const whole = toPrices(each).cost(toRecord(tokens), call)?.nanoUsd;
      expect(BigInt(whole ?? -1)).toBe((tenths + 9n) / 10n);
    }),
    lawRuns,
  );
});

it('the cost is never higher than that of the tokens of the prompt and the answer', () => {
  const count = fc.nat(10_000);
  fc.assert(
    fc.property(fc.record({ input: count, output: count }), sorts, prices, (totals, parts, each) => {
      const { input, output } = toRecord(parts);
      const record: UsageRecord = {
        ...{ kind: 'reported', model: 'm' },
        input: { ...input, total: totals.input },
        output: { ...output, total: totals.output },
      };
      const { plain, read, written, writtenForHour, inputAudio, inputImage } = each;
      const dearest = {
        input: Math.max(plain, read, written, writtenForHour, inputAudio, inputImage),
        output: Math.max(each.said, each.reasoned, each.outputAudio, each.outputImage),
      };
      const most = (totals.input * dearest.input + totals.output * dearest.output) / 10;
      expect(toPrices(each).cost(record, call)?.nanoUsd).toBeLessThanOrEqual(Math.ceil(most));
    }),
    lawRuns,
  );
});
