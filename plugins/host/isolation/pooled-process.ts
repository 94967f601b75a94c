import { errorText } from '../../../schema/text/error-text.ts';
import type { Clock } from '../../sdk/clock.ts';
import type { TenantId } from '../../sdk/exchange/exchange.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import { type Refused, refusalText } from '../loading/plugin-entry.ts';
import type { NewCall } from './calls.ts';
import type { Culprit, PluginVersionOptions } from './plugin-version.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';
import type { ReadyVersion } from './start-version.ts';

const firstDelayMs = 100;
export const longestDelayMs = 30_000;
/** A process that has run for this long, in milliseconds, counts as successfully started. */
const healthyMs = 60_000;

/** Starts a process of the plugin with its current files. Never throws. */
export type StartProcess = (events: Pick<PluginVersionOptions, 'died' | 'occupied'>) => Promise<ReadyVersion | Refused>;

export interface PooledProcessOptions {
  /** The plugin, as named in the gateway file. */
  readonly plugin: string;
  readonly timers: Clock;
  readonly log: (line: string) => void;
  readonly start: StartProcess;
  /** Returns why a restarted process cannot replace the one before, or `undefined` if it can. */
  readonly misfit: (pooled: PooledProcess, version: ReadyVersion) => string | undefined;
  /** Called when it has a process again, with the one that it had before. */
  readonly ready: (pooled: PooledProcess, before: ReadyVersion) => void;
  /** Called while a check of this tenant occupies the process and calls of others wait; repeatedly, as long as it does. */
  readonly occupied: (pooled: PooledProcess, tenant: TenantId) => void;
}

/** A process of a plugin that is restarted when it ends, each time after a longer delay. */
export class PooledProcess {
  readonly #options: PooledProcessOptions;
  #version: ReadyVersion;
  /** Why no process is running. */
  #down: string | undefined;
  #blamed: TenantId | undefined;
  #deaths = 0;
  #bornAt: number;
  #usedAt: number;
  #stopRestart: () => void = () => {};
  #isOver = false;

  private constructor(version: ReadyVersion, options: PooledProcessOptions) {
    this.#version = version;
    this.#options = options;
    this.#bornAt = options.timers.monotonic();
    this.#usedAt = this.#bornAt;
  }

  /** Starts the first process. Never throws. */
  static async open(options: PooledProcessOptions): Promise<PooledProcess | Refused> {
    // The process may end before `pooled` is assigned.
    let pooled: PooledProcess | undefined;
    const version = await PooledProcess.#begin(options, () => pooled);
    if ('problems' in version) return version;
    pooled = new PooledProcess(version, options);
    return pooled;
  }

  static async #begin(
    { start, occupied }: PooledProcessOptions,
    findProcess: () => PooledProcess | undefined,
  ): Promise<ReadyVersion | Refused> {
    let started: ReadyVersion | undefined;
    const serving = (): PooledProcess | undefined => {
      const pooled = findProcess();
      return pooled !== undefined && !pooled.#isOver && pooled.#version === started ? pooled : undefined;
    };
    const version = await start({
      died: (why, culprit) => {
        const pooled = serving();
        if (pooled !== undefined) pooled.#died(why, culprit);
      },
      occupied: (tenant) => {
        const pooled = serving();
        if (pooled !== undefined) occupied(pooled, tenant);
      },
    });
    if ('process' in version) started = version;
    return version;
  }

  get version(): ReadyVersion {
    return this.#version;
  }

  get isDown(): boolean {
    return this.#down !== undefined;
  }

  /** The tenant whose check ended the process, while no process is running. */
  get blamed(): TenantId | undefined {
    return this.#down === undefined ? undefined : this.#blamed;
  }

  /** How many milliseconds it has had no calls. */
  get idleMs(): number {
    return this.#version.process.size > 0 ? 0 : this.#options.timers.monotonic() - this.#usedAt;
  }

  run(call: NewCall): Promise<Verdict> {
    this.#usedAt = this.#options.timers.monotonic();
    if (this.#down === undefined) return this.#version.process.run(call);
    return Promise.reject(
      new Error(
        `The isolated plugin "${this.#options.plugin}" of the check "${call.check}" does not run: ${this.#down}.`,
      ),
    );
  }

  /** Answers a question about parameters. Resolves to `undefined` if the process ends before it reaches the question. */
  ask(question: Question): Promise<DescribedParameters | undefined> {
    return this.#version.process.ask(question);
  }

  /** Gives up the calls of some tenants whose checks have not started. Each rejects with `NotBegun`. */
  release(matches: (tenant: TenantId) => boolean): void {
    this.#version.process.release(matches);
  }

  /** Lets the calls finish, then ends the process for good. */
  retire(): void {
    this.#end();
    this.#version.process.retire();
  }

  /** Ends the process for good. */
  kill(): void {
    this.#end();
    this.#version.process.kill();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopRestart();
  }

  #died(why: string, culprit: Culprit | undefined): void {
    if (this.#options.timers.monotonic() - this.#bornAt > healthyMs) this.#deaths = 0;
    this.#blamed = culprit?.tenant;
    const during = culprit === undefined ? '' : ` while its check "${culprit.check}" ran`;
    this.#restart(`The process of the isolated plugin "${this.#options.plugin}" ended${during}: ${why}.`, why);
  }

  #restart(fact: string, why: string): void {
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#deaths);
    this.#deaths += 1;
    this.#down = why;
    this.#options.log(`${fact} It is started again in ${delayMs} ms.`);
    this.#stopRestart = this.#options.timers.after(delayMs, () => {
      this.#again().catch((error: unknown) => this.#restart(errorText(error), why));
    });
  }

  async #again(): Promise<void> {
    const version = await PooledProcess.#begin(this.#options, () => this);
    const isReady = 'process' in version;
    const misfit = isReady ? this.#options.misfit(this, version) : refusalText(version);
    if (isReady && (misfit !== undefined || this.#isOver)) version.process.kill();
    if (this.#isOver) return;
    if (misfit !== undefined) {
      this.#restart(`The isolated plugin "${this.#options.plugin}" cannot be started: ${misfit}`, misfit);
    } else if (isReady) {
      const before = this.#version;
      this.#version = version;
      this.#down = undefined;
      this.#bornAt = this.#options.timers.monotonic();
      this.#options.ready(this, before);
    }
  }
}
