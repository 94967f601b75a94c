import { webhookSigner } from '../../sdk/delivery/sign-webhook.ts';
import type { Alert } from '../messages/alert.ts';
import type { Form } from './form.ts';

/** The version of the members of `data`. It changes when a member is removed or changes its meaning. */
const version = 1;

const toBody = (alert: Alert, source: string): string => {
  const { id, kind, key, state, severity, title, action, organisation, workspace, at, count, samples, details } = alert;
  const data = {
    ...{ version, id, key, state, severity, title, action, source },
    ...(organisation === undefined ? {} : { organisation }),
    ...(workspace === undefined ? {} : { workspace }),
    ...{ count, samples, details },
  };
  return JSON.stringify({ type: kind, timestamp: new Date(at).toISOString(), data });
};

/** Creates JSON messages, signed according to Standard Webhooks if there is a secret. */
export const webhookForm = (url: string, secret: string | undefined): Form => ({
  kind: 'webhook',
  write(alert, { read, source, now }) {
    const body = toBody(alert, source);
    const sign = webhookSigner(secret === undefined ? [] : [read(secret)]);
    const { 'webhook-signature': signature, ...named } = sign({ id: alert.id, now, body });
    return {
      ...{ url: read(url), body },
      headers: {
        ...{ 'content-type': 'application/json', ...named },
        ...(secret === undefined ? {} : { 'webhook-signature': signature }),
      },
    };
  },
});
