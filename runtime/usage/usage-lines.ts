import type { UsageRecord } from '../../schema/usage/usage-record.ts';
import { costText, usageText } from './usage-text.ts';

/** How an answer says what it used, to a caller who asks with `x-gw-usage: true`. */
const lines = (record: UsageRecord): readonly (readonly [name: string, value: string])[] => [
  ['x-gw-usage', usageText(record)],
  ...(record.cost === undefined ? [] : [['x-gw-cost', costText(record.cost)] as const]),
];

/** The headers of a whole answer. */
export const usageHeaders = (record: UsageRecord): readonly string[] => lines(record).flat();

/** Comments after the last server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export const usageComments = (record: UsageRecord): Buffer =>
  Buffer.from(
    lines(record)
      .map(([name, value]) => `: ${name} ${value}\n\n`)
      .join(''),
  );
