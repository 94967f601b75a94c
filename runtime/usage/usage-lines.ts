import type { UsageRecord } from '../../schema/usage/usage-record.ts';
import { costText, usageText } from './usage-text.ts';

/** How a whole answer says what it used, to a caller who asks with `x-gw-usage: true`: in its headers. */
export const usageHeaders = (record: UsageRecord): readonly string[] => {
  const { cost } = record;
  const usage = usageText(record);
  return cost === undefined ? ['x-gw-usage', usage] : ['x-gw-usage', usage, 'x-gw-cost', costText(cost)];
};

/** Comments after the last server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export const usageComments = (record: UsageRecord): Buffer => {
  const lines = usageHeaders(record);
  return Buffer.from(lines.map((text, at) => (at % 2 === 0 ? `: ${text} ` : `${text}\n\n`)).join(''));
};
