import type { Cancellation } from '../../plugins/sdk/http/http.ts';
import { maxUnmetMs } from '../../schema/plan/circuits/probed-circuits.ts';
import { CancellationSource } from '../async/cancellation-source.ts';
import type { Breakers, MetCircuit, StateKey, Transition } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';

/** How many circuits are probed at the same time, of all tenants together. */
const maxProbed = 1000;

/**
 * How many circuits of one leaf are probed for one tenant, because callers choose the models that circuits are divided by, and
 * each would be probed.
 */
const maxOfLeaf = 10;

/** How a circuit is probed. */
export interface ProbeJob {
  /** Ends the probes: a plan that was replaced has none. */
  readonly lifetime: Cancellation;
  /** Returns the wait before the nth probe, counted from 1. */
  waitMs(nth: number): number;
  /** Sends one probe. Resolves to whether the target works. */
  ask(cancellation: Cancellation): Promise<boolean>;
  report(isUp: boolean, changed: Transition | undefined): void;
}

export interface ProbesOptions {
  readonly clock: Clock;
  readonly breakers: Breakers;
}

/** The probes of one circuit, until it is closed. */
class Probing {
  metAt: number;
  readonly #options: ProbesOptions;
  readonly #circuit: MetCircuit;
  readonly #job: ProbeJob;
  readonly #ended: () => void;
  readonly #cancellation = new CancellationSource();
  readonly #leavePlan: () => void;
  #stopTimer: (() => void) | undefined;

  constructor(circuit: MetCircuit, job: ProbeJob, options: ProbesOptions, ended: () => void) {
    this.#circuit = circuit;
    this.#job = job;
    this.#options = options;
    this.#ended = ended;
    this.metAt = options.clock.monotonic();
    this.#leavePlan = job.lifetime.onCancel(() => this.stop());
    this.#schedule(1);
  }

  stop(): void {
    if (this.#cancellation.cancelled) return;
    this.#stopTimer?.();
    this.#leavePlan();
    this.#cancellation.cancel();
    this.#ended();
  }

  #schedule(nth: number): void {
    const { clock } = this.#options;
    const waitMs = this.#job.waitMs(nth);
    const run = (): void => void this.#probe(nth);
    this.#stopTimer = clock.afterUnref?.(waitMs, run) ?? clock.after(waitMs, run);
  }

  async #probe(nth: number): Promise<void> {
    const { breakers, clock } = this.#options;
    if (breakers.isClosed(this.#circuit) || clock.monotonic() - this.metAt > maxUnmetMs) return this.stop();
    const isUp = await this.#job.ask(this.#cancellation).catch(() => false);
    if (this.#cancellation.cancelled) return;
    this.#job.report(isUp, isUp ? breakers.prove(this.#circuit) : undefined);
    if (breakers.isClosed(this.#circuit)) this.stop();
    else this.#schedule(nth + 1);
  }
}

/** The probes of all plans of a gateway. Each circuit has one at a time, however many plans and requests use it. */
export class Probes {
  readonly #options: ProbesOptions;
  readonly #running = new Map<StateKey, Probing>();
  /** How many of them there are, by tenant and leaf. */
  readonly #ofLeaf = new Map<string, number>();
  #isClosed = false;

  constructor(options: ProbesOptions) {
    this.#options = options;
  }

  /** Returns the number of circuits that are being probed. */
  get size(): number {
    return this.#running.size;
  }

  /** Returns whether a circuit that is not closed is left to its probes. Starts them if there are none. */
  watch(circuit: MetCircuit, job: ProbeJob): boolean {
    const running = this.#running.get(circuit.key);
    if (running !== undefined) {
      running.metAt = this.#options.clock.monotonic();
      return true;
    }
    if (this.#isClosed || job.lifetime.cancelled || this.#running.size >= maxProbed) return false;
    const leaf = `${circuit.tenant} ${circuit.leaf}`;
    if ((this.#ofLeaf.get(leaf) ?? 0) >= maxOfLeaf) return false;
    this.#count(leaf, 1);
    const ended = (): void => {
      this.#running.delete(circuit.key);
      this.#count(leaf, -1);
    };
    this.#running.set(circuit.key, new Probing(circuit, job, this.#options, ended));
    return true;
  }

  #count(leaf: string, more: 1 | -1): void {
    const count = (this.#ofLeaf.get(leaf) ?? 0) + more;
    if (count === 0) this.#ofLeaf.delete(leaf);
    else this.#ofLeaf.set(leaf, count);
  }

  close(): void {
    this.#isClosed = true;
    for (const probing of [...this.#running.values()]) probing.stop();
  }
}
