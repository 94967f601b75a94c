import type { Cancellation } from '../../plugins/sdk/http/http.ts';
import { maxUnmetMs } from '../../schema/plan/circuits/probed-circuits.ts';
import { CancellationSource } from '../async/cancellation-source.ts';
import type { Breakers, MetCircuit, StateKey, Transition } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';

/** Circuits that are probed at the same time, of all tenants together. */
const maxProbed = 1000;

/** Those of one leaf for one tenant: callers choose the models that circuits are divided by, and each would be asked for. */
const maxOfLeaf = 10;

/** How a circuit is probed. */
export interface ProbeJob {
  /** Its end is the end of its probes: a plan that is replaced has none. */
  readonly lifetime: Cancellation;
  /** Gives the wait before a probe, which counts from 1. */
  waitMs(nth: number): number;
  /** Asks once. Resolves to whether the target works. */
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

/** The probes of all plans of a gateway: each circuit has one at a time, however many plans and requests meet it. */
export class Probes {
  readonly #options: ProbesOptions;
  readonly #running = new Map<StateKey, Probing>();
  /** How many of them there are, by tenant and leaf. */
  readonly #ofLeaf = new Map<string, number>();
  #isClosed = false;

  constructor(options: ProbesOptions) {
    this.#options = options;
  }

  /** The circuits that are probed now. */
  get size(): number {
    return this.#running.size;
  }

  /** Whether a circuit that is not closed is left to its probes, which begin if there are none. */
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
