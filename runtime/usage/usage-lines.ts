import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import type { UsageRecord } from '../../schema/usage/usage-record.ts';
import { costText, usageText } from './usage-text.ts';

const none: RawHeaders = [];

/**
 * Returns the headers of a whole answer with the usage for a caller who asks for it with `x-gw-usage: true`. They follow the
 * other headers.
 */
export const usageHeaders = (record: UsageRecord, headers: RawHeaders = none): RawHeaders => {
  const { cost } = record;
  const usage = usageText(record);
  return cost === undefined
    ? [...headers, 'x-gw-usage', usage]
    : [...headers, 'x-gw-usage', usage, 'x-gw-cost', costText(cost)];
};

/**
 * Returns comments that follow the last server-sent event:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export const usageComments = (record: UsageRecord): Buffer => {
  const lines = usageHeaders(record);
  return Buffer.from(lines.map((text, at) => (at % 2 === 0 ? `: ${text} ` : `${text}\n\n`)).join(''));
};
