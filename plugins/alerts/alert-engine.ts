import { hostname } from 'node:os';
import type { Clock } from '../sdk/clock.ts';
import { type LateSlugs, lateSlugs } from '../sdk/control-plane/late-slugs.ts';
import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import { AlertReceiver, type AlertReceiverStatus } from './alert-receiver.ts';
import type { AlertSettings, Occurrence } from './messages/alert.ts';
import type { AlertServices } from './post-alert.ts';
import { type ErrorRateSettings, ErrorRates } from './sources/error-rates.ts';
import { type GatewayHealth, HealthAlerts } from './sources/health.ts';
import { LimitAlerts } from './sources/limits.ts';
import { TargetAlerts, type TargetChange } from './sources/target-alerts.ts';

const lookMs = 1000;

export interface AlertEngineOptions extends Omit<AlertServices, 'source'> {
  readonly settings: AlertSettings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly health: () => GatewayHealth;
  /** Returns the slug of a workspace. Absent if workspaces have none. */
  readonly findSlug?: ((workspace: string) => Promise<string | undefined>) | undefined;
  /** Returns for how many milliseconds waiting messages may still be sent when the gateway closes. */
  readonly closeMs: () => number;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** Returns how error rates are judged. Undefined if they are not. */
export const toErrorSettings = ({ errors = true }: AlertSettings): ErrorRateSettings | undefined => {
  if (errors === false) return undefined;
  const { percent = 20, of_last_s = 300, at_least = 20 } = errors === true ? {} : errors;
  return { percent, windowS: of_last_s, atLeast: at_least };
};

/** Returns the name of a gateway in messages. */
export const toSource = ({ name: given = hostname() }: Pick<AlertSettings, 'name'>): string => given;

const ofGateway = (kind: 'gateway.started' | 'gateway.stopped', source: string): Occurrence => ({
  ...{ kind, key: `${kind} ${source}`, state: 'once', severity: 'info', action: '', tenant: '', details: {} },
  title: kind === 'gateway.started' ? `The gateway ${source} has started.` : `The gateway ${source} ends.`,
});

const toSlugs = ({ findSlug: find, clock }: AlertEngineOptions): LateSlugs | undefined =>
  find === undefined ? undefined : lateSlugs({ find, clock });

/** Judges events in a gateway, and sends messages about them to the receivers. */
export class AlertEngine {
  /** Counts requests. Undefined if error rates are not judged. */
  readonly rates: ErrorRates | undefined;
  readonly #options: AlertEngineOptions;
  readonly #source: string;
  readonly #receivers: readonly AlertReceiver[];
  readonly #slugs: LateSlugs | undefined;
  readonly #limits: LimitAlerts;
  readonly #targets: TargetAlerts;
  readonly #own: HealthAlerts;
  #isStarted = false;
  #stop: () => void;

  constructor(options: AlertEngineOptions) {
    const { settings, clock, health, log } = options;
    this.#options = options;
    const source = toSource(settings);
    this.#source = source;
    const everyMs = (settings.every_s ?? 300) * 1000;
    this.#receivers = settings.to.map(
      (each, index) =>
        new AlertReceiver({
          ...{ ...options, settings: each, source, everyMs },
          say: (text) => log(text),
          number: index + 1,
        }),
    );
    this.#slugs = settings.to.some(({ workspaces }) => workspaces !== undefined) ? toSlugs(options) : undefined;
    const note = (occurrence: Occurrence): void => this.#note(occurrence);
    const now = clock.monotonic;
    this.#limits = new LimitAlerts(note);
    this.#targets = new TargetAlerts({ note, now, hashes: () => health().hashes });
    const rated = toErrorSettings(settings);
    this.rates = rated && new ErrorRates({ ...rated, note, now, source });
    this.#own = new HealthAlerts({ note, now, source, unavailableMs: (settings.unavailable_s ?? 30) * 1000 });
    this.#stop = clock.after(lookMs, this.#look);
  }

  reached(reached: LimitReached): void {
    this.#limits.reached(reached);
  }

  targetChanged(change: TargetChange): void {
    this.#targets.changed(change);
  }

  status(): readonly AlertReceiverStatus[] {
    return this.#receivers.map((receiver) => receiver.status());
  }

  /** Sends waiting messages, for as long as allowed. */
  async close(): Promise<void> {
    this.#stop();
    this.#note(ofGateway('gateway.stopped', this.#source));
    const graceMs = this.#options.closeMs();
    await Promise.all(this.#receivers.map((receiver) => receiver.close(graceMs)));
  }

  readonly #look = (): void => {
    const { clock, health } = this.#options;
    if (!this.#isStarted) this.#note(ofGateway('gateway.started', this.#source));
    this.#isStarted = true;
    this.#limits.look(clock.wall());
    this.#targets.look();
    this.rates?.look();
    this.#own.look(health());
    for (const receiver of this.#receivers) receiver.look();
    this.#stop = clock.after(lookMs, this.#look);
  };

  #note(occurrence: Occurrence): void {
    const slug = occurrence.workspace === undefined ? undefined : this.#slugs?.of(occurrence.workspace);
    if (slug instanceof Promise) void slug.then((known) => this.#noteAs(occurrence, known));
    else this.#noteAs(occurrence, slug ?? '');
  }

  #noteAs(occurrence: Occurrence, slug: string): void {
    for (const receiver of this.#receivers) receiver.note(occurrence, slug);
  }
}
