import type { Clock } from '../sdk/clock.ts';
import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import { definePlugin, type Plugin } from '../sdk/plugin/plugin.ts';
import { toErrorSettings, toSource } from './alert-engine.ts';
import type { AlertNews } from './alert-news.ts';
import type { AlertSettings } from './messages/alert.ts';
import { CircuitChanges } from './sources/circuits.ts';
import { CredentialChanges } from './sources/credentials.ts';
import type { GatewayHealth } from './sources/health.ts';
import { RequestCounter } from './sources/request-counter.ts';
import type { TargetChange } from './sources/target-alerts.ts';

const name = 'gatewright/alerts';
const sendMs = 1000;

/** The maximum number of limits, and of changes of targets, that wait to be sent. */
const maxWaiting = 1000;

export interface WorkerAlertsOptions {
  readonly settings: AlertSettings;
  readonly clock: Pick<Clock, 'after' | 'monotonic'>;
  /** Returns the state of this worker. */
  readonly health: () => GatewayHealth;
  /** Sends to the process that judges it. */
  readonly send: (news: AlertNews) => void;
}

/** Creates the plugin of a worker that reports the input of alerts, once a second and when the worker ends. */
export const openWorkerAlerts = ({ settings, clock, health, send }: WorkerAlertsOptions): Plugin => {
  const source = toSource(settings);
  const circuits = new CircuitChanges(source);
  const credentials = new CredentialChanges({ source, now: clock.monotonic });
  const counter = toErrorSettings(settings) === undefined ? undefined : new RequestCounter();
  let reached: LimitReached[] = [];
  let changes: TargetChange[] = [];
  let lost = 0;
  let stop = (): void => {};

  const add = <Item>(waiting: Item[], item: Item): void => {
    if (waiting.length < maxWaiting) waiting.push(item);
    else lost += 1;
  };
  const sendAll = (): void => {
    const { counts, dropped } = counter?.take() ?? { counts: [], dropped: 0 };
    send({ reached, targets: changes, counts, health: health(), dropped: lost + dropped });
    reached = [];
    changes = [];
    lost = 0;
  };
  const sendAgain = (): void => {
    sendAll();
    stop = clock.after(sendMs, sendAgain);
  };
  stop = clock.after(sendMs, sendAgain);

  return definePlugin({
    name,
    apply: (hooks) => {
      hooks.limitReached.tap(name, (event) => add(reached, event));
      hooks.circuitChanged.tap(name, (event, exchange) => {
        const change = circuits.describe(event, exchange);
        if (change !== undefined) add(changes, change);
      });
      hooks.attempted.tap(name, (event, exchange) => {
        const change = credentials.describe(event, exchange);
        if (change !== undefined) add(changes, change);
      });
      if (counter !== undefined) {
        hooks.completed.tap(name, (response, exchange, end) => counter.completed(response, exchange, end));
        hooks.attempted.tap(name, (event, exchange) => counter.attempted(event, exchange));
      }
      hooks.close.tapPromise(name, async () => {
        stop();
        sendAll();
      });
    },
  });
};
