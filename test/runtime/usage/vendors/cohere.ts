import type { VendorPayload } from './vendor-payload.ts';

const rule = 'https://docs.cohere.com/docs/how-does-cohere-pricing-work';
/** Command A. A price for cached tokens, which Cohere does not have, shows that none is charged separately. */
const price = { input: 2.5, output: 10, cache_read: 1 };

const usage = {
  billed_units: { input_tokens: 11, output_tokens: 6 },
  tokens: { input_tokens: 506, output_tokens: 8 },
  cached_tokens: 448,
};
const charged = [
  [11, 2.5],
  [6, 10],
] as const;

export const cohere: readonly VendorPayload[] = [
  {
    ...{ vendor: 'Cohere', rule, dialect: 'cohere', price, charged },
    what: 'billed units, and not the tokens that were processed or cached',
    wire: { message: { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }, usage },
  },
  {
    ...{ vendor: 'Cohere', rule, dialect: 'cohere', price, charged },
    what: 'the billed units at the end of a stream',
    wire: [
      { type: 'message-start', id: 'm1', delta: { message: { role: 'assistant' } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi.' } } } },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } },
    ],
  },
  {
    ...{ vendor: 'Cohere', rule, dialect: 'cohere', price, charged },
    what: 'billed units where no other count is reported',
    wire: { usage: { billed_units: usage.billed_units } },
  },
];
