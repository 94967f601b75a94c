import type { InputTokens, OutputTokens, UsageRecord } from '../../../schema/usage/usage-record.ts';

/** Returns a function that takes the tokens of a part from what is left of a whole. */
const toParts = (total: number): ((tokens: number) => number) => {
  let left = total;
  return (tokens) => {
    const taken = Math.min(tokens, left);
    left -= taken;
    return taken;
  };
};

const inputWithin = ({ total, cacheWrite, cacheRead, audio, image }: InputTokens): InputTokens => {
  const take = toParts(total);
  return {
    total,
    ...(cacheWrite !== undefined && {
      cacheWrite: Object.fromEntries(Object.entries(cacheWrite).map(([ttl, tokens]) => [ttl, take(tokens)])),
    }),
    ...(cacheRead !== undefined && { cacheRead: take(cacheRead) }),
    ...(audio !== undefined && { audio: take(audio) }),
    ...(image !== undefined && { image: take(image) }),
  };
};

const outputWithin = ({ total, audio, image, reasoning }: OutputTokens): OutputTokens => {
  const take = toParts(total);
  return {
    total,
    ...(audio !== undefined && { audio: take(audio) }),
    ...(image !== undefined && { image: take(image) }),
    ...(reasoning !== undefined && { reasoning: take(reasoning) }),
  };
};

const toSum = (counts: { readonly [ttl: string]: number } | undefined): number =>
  counts === undefined ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0);

const isInputWithin = ({ total, cacheRead = 0, cacheWrite, audio = 0, image = 0 }: InputTokens): boolean =>
  cacheRead + toSum(cacheWrite) + audio + image <= total;

const isOutputWithin = ({ total, reasoning = 0, audio = 0, image = 0 }: OutputTokens): boolean =>
  reasoning + audio + image <= total;

/**
 * Returns a record as it is charged. If its provider distinguishes billed tokens, they replace the processed ones, whose parts do
 * not apply to them. Parts that exceed their whole, such as more cached tokens than the prompt has, are charged up to the whole.
 */
export const chargedRecord = (record: UsageRecord): UsageRecord => {
  const { billed } = record;
  const input = billed?.input === undefined ? record.input : { total: billed.input };
  const output = billed?.output === undefined ? record.output : { total: billed.output };
  const isWithin = isInputWithin(input) && isOutputWithin(output);
  if (billed === undefined && isWithin) return record;
  return isWithin
    ? { ...record, input, output }
    : { ...record, input: inputWithin(input), output: outputWithin(output) };
};
