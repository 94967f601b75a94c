import { definePlugin, type Plugin } from '../sdk/plugin/plugin.ts';
import { AlertEngine, type AlertEngineOptions, toSource } from './alert-engine.ts';
import type { AlertReceiverStatus } from './alert-receiver.ts';
import { CircuitChanges } from './sources/circuits.ts';
import { CredentialChanges } from './sources/credentials.ts';

const name = 'gatewright/alerts';

/** The alerts of one gateway. They are closed by the hook `close` of their plugin. */
export interface OpenedAlerts {
  readonly plugin: Plugin;
  readonly status: () => readonly AlertReceiverStatus[];
}

/** Opens the receivers of alerts, and observes what is reported to them. */
export const openAlerts = (options: AlertEngineOptions): OpenedAlerts => {
  const engine = new AlertEngine(options);
  const { rates } = engine;
  const source = toSource(options.settings);
  const circuits = new CircuitChanges(source);
  const credentials = new CredentialChanges({ source, now: options.clock.monotonic });
  return {
    plugin: definePlugin({
      name,
      apply: (hooks) => {
        hooks.limitReached.tap(name, (reached) => engine.reached(reached));
        hooks.circuitChanged.tap(name, (event, exchange) => {
          const change = circuits.describe(event, exchange);
          if (change !== undefined) engine.targetChanged(change);
        });
        hooks.attempted.tap(name, (event, exchange) => {
          const change = credentials.describe(event, exchange);
          if (change !== undefined) engine.targetChanged(change);
        });
        if (rates !== undefined) {
          hooks.completed.tap(name, (response, exchange, end) => rates.completed(response, exchange, end));
          hooks.attempted.tap(name, (event, exchange) => rates.attempted(event, exchange));
        }
        hooks.close.tapPromise(name, () => engine.close());
      },
    }),
    status: () => engine.status(),
  };
};
