import { type CountedCall, type Used, word } from './counting-provider.ts';

/** A row of the ledger, as far as a provider can know it. */
export interface Row extends Used {
  readonly ticket: string;
  readonly slug: string;
  readonly kind: 'reported' | 'partial' | 'estimated' | 'none';
  readonly nanoUsd: number;
}

/** US dollars per million tokens, which equals thousands of billionths of a dollar per token. */
const prices = { openai: { input: 1, output: 3 }, anthropic: { input: 2, output: 5 } } as const;

export const priceTable: object = {
  openai: { priced: prices.openai },
  anthropic: { priced: prices.anthropic },
};

/** Estimates one token for four bytes. */
const toTokens = (bytes: number): number => Math.ceil(bytes / 4);

const toRow = ({ ticket, slug, wire }: CountedCall, kind: Row['kind'], { input, output }: Used): Row => ({
  ...{ ticket, slug, kind, input, output },
  nanoUsd: 1000 * (input * prices[wire].input + output * prices[wire].output),
});

/** The row for a call whose provider has reported all of its usage. */
export const reported = (call: CountedCall): Row => toRow(call, 'reported', call.used);

/**
 * The row for a call that ended early after this many words of its answer: the usage that was reported at the beginning, and the
 * text in place of the rest. `begun`: whether the beginning of the answer arrived.
 */
export const unfinished = (
  call: CountedCall,
  askedBytes: number,
  { words, begun }: Pick<CountedCall, 'words' | 'begun'> = call,
): Row => {
  const said = toTokens(call.isStream ? words * word.length : 0);
  if (call.wire === 'anthropic' && call.isStream && begun)
    return toRow(call, 'partial', { input: call.used.input, output: Math.max(1, said) });
  return toRow(call, 'estimated', { input: toTokens(askedBytes), output: said });
};

/** The row for a call that was refused. */
export const refused = (call: CountedCall): Row => toRow(call, 'none', { input: 0, output: 0 });
