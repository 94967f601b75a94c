import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import type { UsageRecord } from '../../schema/usage/usage-record.ts';
import { costText, usageText } from './usage-text.ts';

const none: RawHeaders = [];

/** How a whole answer says what it used, to a caller who asks with `x-gw-usage: true`: after its other headers. */
export const usageHeaders = (record: UsageRecord, headers: RawHeaders = none): RawHeaders => {
  const { cost } = record;
  const usage = usageText(record);
  return cost === undefined
    ? [...headers, 'x-gw-usage', usage]
    : [...headers, 'x-gw-usage', usage, 'x-gw-cost', costText(cost)];
};

/** Comments after the last server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export const usageComments = (record: UsageRecord): Buffer => {
  const lines = usageHeaders(record);
  return Buffer.from(lines.map((text, at) => (at % 2 === 0 ? `: ${text} ` : `${text}\n\n`)).join(''));
};
