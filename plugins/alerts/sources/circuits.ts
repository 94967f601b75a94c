import { describeCircuit } from '../../../schema/trail/circuit-name.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import { servedNames } from '../../sdk/exchange/served-names.ts';
import type { Occurrence } from '../messages/alert.ts';
import { plainName, shownName } from './shown-name.ts';
import { ofWorkspace, toWhose } from './subject.ts';

type CircuitChanged = Extract<TrailEvent, { kind: 'circuitChanged' }>;

/** The most targets of which circuits are followed. */
const maxOpen = 1000;

/** No request has tried the target for so long: nobody learns any more whether it works. */
const forgottenMs = 24 * 60 * 60 * 1000;

interface OpenCircuits {
  readonly occurrence: Occurrence;
  /** The hash of the plan. */
  readonly hash: string;
  /** Whether the plan is of a file. */
  readonly isServed: boolean;
  /** How many of its circuits are open. */
  count: number;
  /** When one of them last changed, in milliseconds of the monotonic clock. */
  at: number;
}

/** A change of a circuit, as it is reported. */
export interface CircuitChange {
  readonly from: CircuitChanged['from'];
  readonly to: CircuitChanged['to'];
  /** The occurrence that is reported where it opens. */
  readonly occurrence: Occurrence;
  /** The hash of the plan. */
  readonly hash: string;
}

/** Describes changes of circuits. Those of callers' configs are theirs, and are not reported. */
export class CircuitChanges {
  readonly #source: string;
  readonly #toNames = servedNames();

  constructor(source: string) {
    this.#source = source;
  }

  describe(event: CircuitChanged, exchange: Pick<Exchange, 'plan' | 'principal'>): CircuitChange | undefined {
    const { plan } = exchange;
    if (plan === undefined || plan.isCallers === true) return undefined;
    const { from, to } = event;
    return { from, to, occurrence: this.#toOccurrence(event, exchange), hash: plan.routing.hash };
  }

  #toOccurrence({ path, of }: CircuitChanged, exchange: Pick<Exchange, 'plan' | 'principal'>): Occurrence {
    const names = this.#toNames(exchange.plan);
    const { target, provider } = names.leaf(path);
    const whose = toWhose(exchange);
    // Targets of a provider share the circuit of a credential.
    const subject =
      of?.kind === 'credential'
        ? `credential ${provider}`
        : `${names.plan} ${target} ${of?.kind ?? ''} ${of?.model ?? ''}`;
    return {
      kind: 'circuit.open',
      key: `circuit.open ${this.#source} ${whose.tenant} ${subject.trimEnd()}`,
      state: 'open',
      severity: 'error',
      title: `The circuit${describeCircuit(of)} of target ${shownName(target)} in config ${shownName(names.plan)}${ofWorkspace(whose)} is open: it is not asked for a while.`,
      action: `Look at what its provider answers, by the log of requests or its status page. Requests are served by other targets where the config has some.`,
      ...whose,
      details: {
        ...{ config: plainName(names.plan), target: plainName(target), provider: plainName(provider) },
        ...(of === undefined ? {} : { circuit: of.kind }),
        ...(of?.model === undefined ? {} : { model: plainName(of.model) }),
      },
    };
  }
}

export interface CircuitAlertsOptions {
  readonly note: (occurrence: Occurrence) => void;
  readonly now: () => number;
  /** The hashes of the plans of files that are in service. */
  readonly hashes: () => ReadonlySet<string>;
}

/** Reports targets of which a circuit is open, and that all of them are closed again. */
export class CircuitAlerts {
  readonly #options: CircuitAlertsOptions;
  readonly #open = new Map<string, OpenCircuits>();

  constructor(options: CircuitAlertsOptions) {
    this.#options = options;
  }

  changed({ from, to, occurrence, hash }: CircuitChange): void {
    const open = this.#open.get(occurrence.key);
    if (open !== undefined) open.at = this.#options.now();
    if (to === 'open') this.#opened(occurrence, { hash, open, isNew: from === 'closed' });
    else if (to === 'closed' && open !== undefined) {
      open.count -= 1;
      if (open.count <= 0) this.#closed(occurrence.key, 'is closed again: it works');
    }
  }

  /** Forgets circuits of which nothing will be heard. */
  look(): void {
    if (this.#open.size === 0) return;
    const hashes = this.#options.hashes();
    const now = this.#options.now();
    for (const [key, { hash, isServed, at }] of this.#open) {
      if (isServed && !hashes.has(hash)) this.#closed(key, 'is gone: its config was replaced');
      else if (now - at > forgottenMs) this.#closed(key, 'was not tried by any request for a day');
    }
  }

  #opened(
    occurrence: Occurrence,
    { hash, open, isNew }: { readonly hash: string; readonly open: OpenCircuits | undefined; readonly isNew: boolean },
  ): void {
    if (open !== undefined) {
      if (isNew) open.count += 1;
      return;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= maxOpen && oldest !== undefined) this.#closed(oldest, 'is not followed any more');
    const isServed = this.#options.hashes().has(hash);
    this.#open.set(occurrence.key, { occurrence, hash, isServed, count: 1, at: this.#options.now() });
    this.#options.note(occurrence);
  }

  #closed(key: string, how: string): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const { occurrence } = open;
    const title = occurrence.title.replace(/ is open: .*$/, ` ${how}.`);
    this.#options.note({ ...occurrence, state: 'resolved', title, action: '' });
  }
}
