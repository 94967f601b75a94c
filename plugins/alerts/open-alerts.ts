import { hostname } from 'node:os';
import type { Clock } from '../sdk/clock.ts';
import { type LateSlugs, lateSlugs } from '../sdk/control-plane/late-slugs.ts';
import { definePlugin, type Plugin } from '../sdk/plugin/plugin.ts';
import type { AlertSettings, Occurrence } from './messages/alert.ts';
import { AlertReceiver, type AlertReceiverStatus } from './receivers/alert-receiver.ts';
import type { AlertServices } from './receivers/post-alert.ts';
import { CircuitAlerts } from './sources/circuits.ts';
import { type ErrorRateSettings, ErrorRates } from './sources/error-rates.ts';
import { type GatewayHealth, HealthAlerts } from './sources/health.ts';
import { LimitAlerts } from './sources/limits.ts';

const name = 'gatewright/alerts';
const lookMs = 1000;

export interface OpenAlertsOptions extends Omit<AlertServices, 'source'> {
  readonly settings: AlertSettings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly health: () => GatewayHealth;
  /** Reads the slug of a workspace; absent where workspaces have none. */
  readonly findSlug?: ((workspace: string) => Promise<string | undefined>) | undefined;
  /** For how many milliseconds what waits may be sent once the gateway closes. */
  readonly closeMs: () => number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** The alerts of one gateway. They end with the hook `close` of their plugin. */
export interface OpenedAlerts {
  readonly plugin: Plugin;
  readonly status: () => readonly AlertReceiverStatus[];
}

const toErrorSettings = ({ errors = true }: AlertSettings): ErrorRateSettings | undefined => {
  if (errors === false) return undefined;
  const { percent = 20, of_last_s = 300, at_least = 20 } = errors === true ? {} : errors;
  return { percent, windowS: of_last_s, atLeast: at_least };
};

/** The name of a gateway in messages. */
export const toSource = ({ name: given = hostname() }: Pick<AlertSettings, 'name'>): string => given;

const ofGateway = (kind: 'gateway.started' | 'gateway.stopped', source: string): Occurrence => ({
  ...{ kind, key: `${kind} ${source}`, state: 'once', severity: 'info', action: '', tenant: '', details: {} },
  title: kind === 'gateway.started' ? `The gateway ${source} has started.` : `The gateway ${source} ends.`,
});

const toSlugs = ({ findSlug: find, clock }: OpenAlertsOptions): LateSlugs | undefined =>
  find === undefined ? undefined : lateSlugs({ find, clock });

/** Opens the receivers of alerts, and follows what is to be reported to them. */
export const openAlerts = (options: OpenAlertsOptions): OpenedAlerts => {
  const { settings, clock, health, closeMs, log } = options;
  const source = toSource(settings);
  const everyMs = (settings.every_s ?? 300) * 1000;
  const receivers = settings.to.map(
    (each, index) =>
      new AlertReceiver({
        ...{ ...options, settings: each, source, everyMs },
        say: (text) => log(text),
        number: index + 1,
      }),
  );
  const slugs = settings.to.some(({ workspaces }) => workspaces !== undefined) ? toSlugs(options) : undefined;
  const noteAs = (occurrence: Occurrence, slug: string): void => {
    for (const receiver of receivers) receiver.note(occurrence, slug);
  };
  const note = (occurrence: Occurrence): void => {
    const slug = occurrence.workspace === undefined ? undefined : slugs?.of(occurrence.workspace);
    if (slug instanceof Promise) void slug.then((known) => noteAs(occurrence, known));
    else noteAs(occurrence, slug ?? '');
  };
  const now = clock.monotonic;
  const limits = new LimitAlerts(note);
  const circuits = new CircuitAlerts({ note, now, source, hashes: () => health().hashes });
  const rated = toErrorSettings(settings);
  const rates = rated && new ErrorRates({ ...rated, note, now, source });
  const own = new HealthAlerts({ note, now, source, unavailableMs: (settings.unavailable_s ?? 30) * 1000 });
  let isStarted = false;
  let stop = (): void => {};
  const look = (): void => {
    if (!isStarted) note(ofGateway('gateway.started', source));
    isStarted = true;
    limits.look(clock.wall());
    circuits.look();
    rates?.look();
    own.look(health());
    for (const receiver of receivers) receiver.look();
    stop = clock.after(lookMs, look);
  };
  stop = clock.after(lookMs, look);
  return {
    plugin: definePlugin({
      name,
      apply: (hooks) => {
        hooks.limitReached.tap(name, (reached) => limits.reached(reached));
        hooks.circuitChanged.tap(name, (event, exchange) => circuits.changed(event, exchange));
        if (rates !== undefined) {
          hooks.completed.tap(name, (response, exchange, end) => rates.completed(response, exchange, end));
          hooks.attempted.tap(name, (event, exchange) => rates.attempted(event, exchange));
        }
        hooks.close.tapPromise(name, async () => {
          stop();
          note(ofGateway('gateway.stopped', source));
          const graceMs = closeMs();
          await Promise.all(receivers.map((receiver) => receiver.close(graceMs)));
        });
      },
    }),
    status: () => receivers.map((receiver) => receiver.status()),
  };
};
