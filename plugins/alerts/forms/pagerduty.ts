import { createHash } from 'node:crypto';
import type { Alert } from '../messages/alert.ts';
import { countedTitle, cutText } from '../messages/alert-text.ts';
import type { Form } from './form.ts';

const defaultUrl = 'https://events.pagerduty.com/v2/enqueue';

/** Maximum lengths in characters. https://developer.pagerduty.com/docs/send-alert-event */
const limits = { summary: 1024, dedupKey: 255 } as const;

/** Returns the same key for the beginning and the end of something. */
const toDedupKey = (key: string): string => {
  const whole = `gatewright ${key}`;
  return whole.length <= limits.dedupKey ? whole : `gatewright ${createHash('sha256').update(key).digest('hex')}`;
};

const toPayload = (alert: Alert, source: string): object => {
  const { kind, severity, action, organisation, workspace, at, count, samples, details } = alert;
  return {
    summary: cutText(countedTitle(alert), limits.summary),
    ...{ source, severity, timestamp: new Date(at).toISOString(), class: kind },
    ...(workspace === undefined ? {} : { group: workspace }),
    custom_details: { action, ...(organisation === undefined ? {} : { organisation }), count, samples, ...details },
  };
};

/** Creates events for the Events API v2, which trigger an incident or resolve it. */
export const pagerdutyForm = (routingKey: string, url: string = defaultUrl): Form => ({
  kind: 'pagerduty',
  write(alert, { read, source }) {
    const event = { routing_key: read(routingKey), dedup_key: toDedupKey(alert.key) };
    const body =
      alert.state === 'resolved'
        ? { ...event, event_action: 'resolve' }
        : { ...event, event_action: 'trigger', client: 'Gatewright', payload: toPayload(alert, source) };
    return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  },
});
