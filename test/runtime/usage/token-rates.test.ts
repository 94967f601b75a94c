import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createListedPrices } from '../../../runtime/usage/listed-prices.ts';
import { nanoUsd } from '../../../runtime/usage/nano-usd.ts';
import { lawRuns } from '../../support/law-runs.ts';

/** With rates, with prices that depend on the number of tokens or on the date, and without a list. */
const models = [
  ['openai', 'gpt-4o-mini'],
  ['openai', 'gpt-5'],
  ['openai', 'o3'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['anthropic', 'claude-3-5-haiku-latest'],
  ['google', 'gemini-2.5-pro'],
  ['google', 'gemini-2.5-flash'],
  ['deepseek', 'deepseek-chat'],
  ['groq', 'llama-3.3-70b-versatile'],
  ['mistral', 'mistral-large-latest'],
  ['openai', 'a-model-that-nobody-lists'],
] as const;

const tokens = fc.oneof(fc.nat(2000), fc.nat(2_000_000));
const counts = fc.record({ input: tokens, output: tokens, read: fc.option(tokens), reasoned: fc.option(tokens) });
const at = fc.date({ min: new Date('2025-06-01'), max: new Date('2026-11-01'), noInvalidDate: true });

it('what a model costs by its rates is what its list says, to the last billionth', async () => {
  const prices = createListedPrices();
  await prices.ready();
  const law = fc.property(
    fc.constantFrom(...models),
    counts,
    at,
    ([listedAs, model], { input, output, read, reasoned }, time) => {
      const cacheRead = read === null ? undefined : Math.min(read, input);
      const reasoning = reasoned === null ? undefined : Math.min(reasoned, output);
      const said = prices.usd(
        {
          kind: 'reported',
          model,
          input: { total: input, ...(cacheRead === undefined ? {} : { cacheRead }) },
          output: { total: output, ...(reasoning === undefined ? {} : { reasoning }) },
        },
        { provider: listedAs, listedAs, model, at: time.getTime() },
      );
      const listed = calcPrice(
        {
          input_tokens: input,
          output_tokens: output,
          ...(cacheRead === undefined ? {} : { cache_read_tokens: cacheRead }),
          ...(reasoning === undefined ? {} : { output_reasoning_tokens: reasoning }),
        },
        model,
        { providerId: listedAs, timestamp: time },
      );
      const total = said === undefined ? undefined : nanoUsd(said.input + said.output + said.rest);
      expect(total).toBe(listed === null ? undefined : nanoUsd(listed.total_price));
    },
  );
  fc.assert(law, lawRuns);
});
