import { formatUsd } from '../../schema/text/format-usd.ts';
import type { Cost, UsageRecord } from '../../schema/usage/usage-record.ts';

const maxBytes = 1024;
const longestModel = 100;

/** JSON in one line of ASCII, which a header and a comment may contain. */
const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A record as JSON of at most 1 KB, without its cost. Of one that is longer, only the totals are left. */
export const usageText = ({ cost: _cost, ...record }: UsageRecord): string => {
  const text = asciiJson(record);
  if (text.length <= maxBytes) return text;
  const { kind, model, input, output } = record;
  const totals = { input: { total: input.total }, output: { total: output.total } };
  return asciiJson({ kind, model: model.slice(0, longestModel), ...totals });
};

/** US dollars as a decimal number: `0.00325`. */
export const costText = ({ nanoUsd }: Cost): string => formatUsd(nanoUsd);
