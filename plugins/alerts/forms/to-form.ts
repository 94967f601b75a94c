import type { ReceiverSettings } from '../messages/alert.ts';
import type { Form } from './form.ts';
import { pagerdutyForm } from './pagerduty.ts';
import { slackForm } from './slack.ts';
import { webhookForm } from './webhook.ts';

/** Returns the form of a receiver. Exactly one member of its settings specifies the kind. */
export const toForm = ({ webhook, secret, slack, pagerduty, url }: ReceiverSettings): Form => {
  if (webhook !== undefined) return webhookForm(webhook, secret);
  if (slack !== undefined) return slackForm(slack);
  if (pagerduty !== undefined) return pagerdutyForm(pagerduty, url);
  throw new TypeError('A receiver of alerts needs "webhook", "slack" or "pagerduty".');
};
