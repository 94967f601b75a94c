import { formatUsd } from '../../schema/text/format-usd.ts';
import type { Cost, InputTokens, OutputTokens, UsageRecord } from '../../schema/usage/usage-record.ts';

const maxBytes = 1024;
const longestModel = 100;

/** Returns JSON as one line of ASCII, which a header and a comment may contain. */
const asciiJson = (value: object | string): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Names of models and tiers as JSON. Providers have few, but requests may name any. */
const namesWritten = new Map<string, string>();
const maxNames = 500;

const nameJson = (name: string): string => {
  const known = namesWritten.get(name);
  if (known !== undefined) return known;
  const written = asciiJson(name);
  if (name.length > longestModel) return written;
  if (namesWritten.size >= maxNames) namesWritten.clear();
  namesWritten.set(name, written);
  return written;
};

/** Returns counts as JSON. Most contain only numbers, whose names need no escapes. */
const countsJson = (counts: InputTokens | OutputTokens): string => {
  let text = '';
  for (const name in counts) {
    const count = counts[name as 'total'];
    if (typeof count !== 'number') return asciiJson(counts);
    text += text === '' ? `{"${name}":${count}` : `,"${name}":${count}`;
  }
  return `${text}}`;
};

const withoutCost = ({ cost: _cost, ...record }: UsageRecord): object => record;

/** The members of most records. */
const isCommon = (name: string): boolean => {
  switch (name) {
    case 'kind':
    case 'model':
    case 'tier':
    case 'input':
    case 'output':
    case 'cacheHitRate':
    case 'cost':
      return true;
    default:
      return false;
  }
};

/** Returns a record without its cost as JSON. If it has only common members, these are written one by one. */
const recordJson = (record: UsageRecord): string => {
  for (const name in record) if (!isCommon(name)) return asciiJson(withoutCost(record));
  const { kind, model, tier, input, output, cacheHitRate } = record;
  const names = `"kind":"${kind}","model":${nameJson(model)}${tier === undefined ? '' : `,"tier":${nameJson(tier)}`}`;
  const rate = cacheHitRate === undefined ? '' : `,"cacheHitRate":${cacheHitRate}`;
  return `{${names},"input":${countsJson(input)},"output":${countsJson(output)}${rate}}`;
};

/** Returns a record as JSON of at most 1 KB, without its cost. If it is longer, only the totals are kept. */
export const usageText = (record: UsageRecord): string => {
  const text = recordJson(record);
  if (text.length <= maxBytes) return text;
  const { kind, model, input, output } = record;
  const totals = { input: { total: input.total }, output: { total: output.total } };
  return asciiJson({ kind, model: model.slice(0, longestModel), ...totals });
};

/** Returns US dollars as a decimal number: `0.00325`. */
export const costText = ({ nanoUsd }: Cost): string => formatUsd(nanoUsd);
