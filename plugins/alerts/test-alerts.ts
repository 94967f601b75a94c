import { errorText } from '../../schema/text/error-text.ts';
import { toSent } from '../sdk/delivery/to-sent.ts';
import { neverCancelled } from '../sdk/time/cancellation.ts';
import { toSource } from './alert-engine.ts';
import type { Form } from './forms/form.ts';
import { toForm } from './forms/to-form.ts';
import type { Alert, AlertSettings, AlertState } from './messages/alert.ts';
import { type AlertServices, postAlert } from './post-alert.ts';

/** How a receiver answered. */
export interface TestedReceiver {
  /** Its position in the gateway file, starting at 1. */
  readonly number: number;
  readonly to: Form['kind'];
  readonly isDelivered: boolean;
  /** A sentence. */
  readonly answer: string;
}

export interface TestAlertsOptions extends Omit<AlertServices, 'source'> {
  readonly settings: AlertSettings;
  /** The positions of the tested receivers, starting at 1. */
  readonly numbers: readonly number[];
  readonly newId: () => string;
}

/** An incident is resolved again immediately. */
const statesOf = (kind: Form['kind']): readonly AlertState[] =>
  kind === 'pagerduty' ? ['open', 'resolved'] : ['once'];

/** Sends one message to each receiver as a gateway would, whatever kinds it normally receives. */
export const testAlerts = ({
  settings,
  numbers,
  newId,
  ...services
}: TestAlertsOptions): Promise<readonly TestedReceiver[]> => {
  const source = toSource(settings);
  const toAlert = (state: AlertState): Alert => ({
    ...{ id: newId(), kind: 'alerts.test', key: `alerts.test ${source}`, state, severity: 'info' },
    title: `This is a test of the alerts of the gateway ${source}.`,
    action: 'There is nothing to do.',
    ...{ tenant: '', at: services.clock.wall(), count: 1, samples: [], details: {} },
  });
  const test = async (number: number): Promise<TestedReceiver> => {
    const receiver = settings.to[number - 1];
    if (receiver === undefined) throw new RangeError(`There is no receiver ${number}.`);
    const form = toForm(receiver);
    const tested = { number, to: form.kind };
    try {
      let status = 0;
      for (const state of statesOf(form.kind)) {
        const answer = await postAlert(form, toAlert(state), { ...services, source, cancellation: neverCancelled });
        const sent = toSent(answer, { now: services.clock.wall() });
        if (sent.kind !== 'delivered') return { ...tested, isDelivered: false, answer: sent.reason };
        status = answer.status;
      }
      return { ...tested, isDelivered: true, answer: `It answered ${status}.` };
    } catch (error) {
      return { ...tested, isDelivered: false, answer: errorText(error) };
    }
  };
  return Promise.all(numbers.filter((number) => settings.to[number - 1] !== undefined).map(test));
};
