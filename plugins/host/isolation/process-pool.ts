import type { TenantId } from '../../sdk/exchange/exchange.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import { type Refused, refusalText } from '../loading/plugin-entry.ts';
import type { CallShares } from './call-shares.ts';
import type { NewCall } from './calls.ts';
import { lateError } from './late-error.ts';
import { NotBegun } from './not-begun.ts';
import { longestDelayMs, PooledProcess, type PooledProcessOptions } from './pooled-process.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';
import type { ReadyVersion } from './start-version.ts';

/** The maximum number of processes for one version of a plugin: three for tenants that occupy theirs, and one for all others. */
export const maxProcesses = 4;
/** A separate process ends after this many milliseconds without a call. */
const idleMs = 60_000;

export interface ProcessPoolOptions extends Pick<PooledProcessOptions, 'plugin' | 'timers' | 'log' | 'start'> {
  /** The unanswered calls of all processes of the plugin. */
  readonly shares: CallShares;
  /** Returns why a process cannot replace the shared one, or `undefined` if it can. */
  readonly incompatibility: (version: ReadyVersion, pool: ProcessPool) => string | undefined;
  /** Called when another process has become the shared one, possibly of another version. */
  readonly ready: (isOther: boolean, pool: ProcessPool) => void;
}

/**
 * The processes of one version of a plugin. All tenants share one, until a check of one tenant occupies or ends it while others
 * call it. It is then reserved for that tenant's calls, and the others get a new one.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  /** The process that all tenants share unless they have a separate one. */
  #main: PooledProcess;
  /** The separate processes, each with a function that stops the check for idleness. */
  readonly #aside = new Map<PooledProcess, () => void>();
  /** The tenants that have a separate process. */
  readonly #toProcess = new Map<TenantId, PooledProcess>();
  /** Settles when a tenant has been separated, or cannot be. */
  #parting: Promise<void> | undefined;
  /** Until this time no further process is started, because starting the last one failed. */
  #pausedUntil = 0;
  #isOver = false;

  private constructor(main: PooledProcess, options: ProcessPoolOptions) {
    this.#main = main;
    this.#options = options;
  }

  /** Starts the shared process. Never throws. */
  static async open(options: ProcessPoolOptions): Promise<ProcessPool | Refused> {
    let pool: ProcessPool | undefined;
    const main = await PooledProcess.open(ProcessPool.#processOptions(options, () => pool));
    if ('problems' in main) return main;
    pool = new ProcessPool(main, options);
    return pool;
  }

  static #processOptions(options: ProcessPoolOptions, findPool: () => ProcessPool | undefined): PooledProcessOptions {
    return {
      ...options,
      misfit: (pooled, version) => {
        const pool = findPool();
        return pool === undefined ? undefined : pool.#misfit(pooled, version);
      },
      ready: (pooled, before) => {
        const pool = findPool();
        if (pool !== undefined) pool.#ready(pooled, before);
      },
      occupied: (pooled, tenant) => {
        const pool = findPool();
        if (pool !== undefined && pooled === pool.#main) void pool.#part(tenant);
      },
    };
  }

  /** The version that the shared process runs. */
  get version(): ReadyVersion {
    return this.#main.version;
  }

  get pid(): number {
    return this.#main.version.process.pid;
  }

  /** Whether the shared process is not running. */
  get isDown(): boolean {
    return this.#main.isDown;
  }

  /** Runs a check. Rejects if it throws, takes too long, or its process ends. */
  async run(call: NewCall): Promise<Verdict> {
    const { timers } = this.#options;
    const { tenant, cancellation } = call;
    const dueAt = timers.monotonic() + call.withinMs;
    for (;;) {
      const { blamed } = this.#main;
      if (blamed !== undefined && blamed !== tenant && !this.#toProcess.has(tenant))
        await this.#parted(blamed, call, dueAt);
      const pooled = this.#toProcess.get(tenant) ?? this.#main;
      try {
        return await pooled.run({ ...call, leftMs: dueAt - timers.monotonic() });
      } catch (error) {
        if (!(error instanceof NotBegun)) throw error;
        if (cancellation.cancelled) throw new Error('It was cancelled.');
      }
    }
  }

  /** Answers a question about parameters. Resolves to `undefined` if the process ends before it reaches the question. */
  ask(question: Question): Promise<DescribedParameters | undefined> {
    return this.#main.ask(question);
  }

  /** Lets the calls finish, then ends all processes. */
  retire(): void {
    for (const pooled of this.#end()) pooled.retire();
  }

  /** Ends all processes. */
  kill(): void {
    for (const pooled of this.#end()) pooled.kill();
  }

  #end(): readonly PooledProcess[] {
    this.#isOver = true;
    for (const stop of this.#aside.values()) stop();
    return [this.#main, ...this.#aside.keys()];
  }

  /** Waits until the tenant whose check ended the process has been separated. */
  async #parted(blamed: TenantId, call: NewCall, dueAt: number): Promise<void> {
    const { plugin, timers, shares } = this.#options;
    const { tenant } = call;
    const refusal = shares.refusal(tenant);
    if (refusal !== undefined) throw new Error(`The isolated plugin "${plugin}" ${refusal}`);
    shares.take(tenant);
    const late = Promise.withResolvers<never>();
    const stop = timers.after(dueAt - timers.monotonic(), () => late.reject(lateError(plugin, call)));
    try {
      await Promise.race([this.#part(blamed), late.promise]);
    } finally {
      stop();
      shares.give(tenant, 0);
    }
  }

  #misfit(pooled: PooledProcess, version: ReadyVersion): string | undefined {
    if (pooled === this.#main) return this.#options.incompatibility(version, this);
    return version.integrity === this.version.integrity ? undefined : 'its files have changed';
  }

  #ready(pooled: PooledProcess, before: ReadyVersion): void {
    if (pooled !== this.#main) return;
    const isOther = pooled.version.integrity !== before.integrity;
    // The separate processes run the previous version.
    if (isOther) for (const each of [...this.#aside.keys()]) this.#close(each);
    this.#options.ready(isOther, this);
  }

  /** Separates a tenant from all others. Never rejects. */
  #part(blamed: TenantId): Promise<void> {
    this.#parting ??= this.#setAside(blamed).finally(() => {
      this.#parting = undefined;
    });
    return this.#parting;
  }

  async #setAside(blamed: TenantId): Promise<void> {
    const pooled = this.#toProcess.get(blamed) ?? (this.#aside.size + 1 < maxProcesses ? undefined : this.#minShared());
    if (pooled === undefined) {
      await this.#replaceMain(blamed);
      return;
    }
    this.#toProcess.set(blamed, pooled);
    // The call that occupies the process ends when its time is over.
    this.#main.release((tenant) => tenant === blamed);
  }

  /** Returns the separate process with the fewest tenants. */
  #minShared(): PooledProcess | undefined {
    const all = [...this.#toProcess.values()];
    const sharers = (pooled: PooledProcess): number => all.filter((each) => each === pooled).length;
    return [...this.#aside.keys()].toSorted((a, b) => sharers(a) - sharers(b))[0];
  }

  /** Leaves the shared process to one tenant, and starts another one for the others. */
  async #replaceMain(blamed: TenantId): Promise<void> {
    const { plugin, timers, log } = this.#options;
    if (this.#isOver || timers.monotonic() < this.#pausedUntil) return;
    const pooled = await PooledProcess.open(ProcessPool.#processOptions(this.#options, () => this));
    const why = 'problems' in pooled ? refusalText(pooled) : this.#misfit(pooled, pooled.version);
    if ('problems' in pooled || why !== undefined || this.#isOver) {
      if (!('problems' in pooled)) pooled.kill();
      if (this.#isOver) return;
      this.#pausedUntil = timers.monotonic() + longestDelayMs;
      log(`Another process of the isolated plugin "${plugin}" cannot be started: ${why}`);
      return;
    }
    const before = this.#main;
    this.#main = pooled;
    this.#toProcess.set(blamed, before);
    this.#lookWhetherIdle(before);
    log(
      `The isolated plugin "${plugin}" has ${this.#aside.size + 1} processes now: a check of one tenant kept one of them from others.`,
    );
    this.#options.ready(false, this);
    before.release((tenant) => tenant !== blamed);
  }

  #lookWhetherIdle(pooled: PooledProcess): void {
    const stop = this.#options.timers.after(idleMs, () => {
      if (pooled.idleMs < idleMs) this.#lookWhetherIdle(pooled);
      else this.#close(pooled);
    });
    this.#aside.set(pooled, stop);
  }

  #close(pooled: PooledProcess): void {
    this.#aside.get(pooled)?.();
    this.#aside.delete(pooled);
    for (const [tenant, of] of this.#toProcess) if (of === pooled) this.#toProcess.delete(tenant);
    pooled.retire();
  }
}
