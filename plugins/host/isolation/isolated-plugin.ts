import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { CheckCall } from '../../../schema/plan/plan.ts';
import type { Clock } from '../../sdk/clock.ts';
import { guardrailNames, type Verdict } from '../../sdk/guardrail/guardrail.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import { readManifest } from '../loading/manifest.ts';
import { type PluginEntry, type Refused, refusalText } from '../loading/plugin-entry.ts';
import { pluginHash } from '../loading/plugin-hash.ts';
import { CallShares } from './call-shares.ts';
import type { NewCall } from './calls.ts';
import { IsolatedChecks } from './isolated-checks.ts';
import type { IsolationLink, OwnedVersion } from './messages.ts';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';
import type { Spawner } from './spawning/spawner.ts';
import { systemTimers } from './spawning/system-timers.ts';
import { type ReadyVersion, startVersion } from './start-version.ts';

export interface IsolationOptions {
  /** The variables from which plugins receive those that they declare. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Writes a line for the operator. Lines have no line break. */
  readonly log: (line: string) => void;
  readonly timers?: Clock;
  /** Starts the processes. If absent, this process does. */
  readonly spawner?: Spawner | undefined;
  /** Set in a worker: the connection to the process that owns the processes of its plugins. */
  readonly owner?: IsolationLink | undefined;
}

const toNames = ({ described }: ReadyVersion): string =>
  JSON.stringify(described.guardrails.map(({ id, ...more }) => [id, ...guardrailNames({ id, ...more })]).sort());

/**
 * A plugin whose checks run in separate processes. A process is restarted when it ends, and replaced when the plugin's files
 * change. Requests are not affected, except for the calls that were running in it.
 */
export class IsolatedPlugin {
  readonly #file: string;
  readonly #options: ProcessPoolOptions;
  readonly #checks: IsolatedChecks;
  /** The position of its entry in the gateway file, by which workers refer to it. */
  readonly pointer: JsonPointer;
  /** The numbers of the versions that workers link plans with. */
  readonly #numbers = new WeakMap<ProcessPool, number>();
  #lastNumber = 0;
  #pool: ProcessPool;
  /** The processes of the previous version, while the current one is on trial. */
  #before: ProcessPool | undefined;
  /** Settles when another process is in service, or when none will be. */
  #next: PromiseWithResolvers<void> = Promise.withResolvers();
  #isClosed = false;
  /** Whether another version may be put into service, so that its plans are compiled again. */
  #takesUpdates = false;
  #hasUpdate = false;
  /** The version on disk that was rejected, and why. */
  #rejected: { readonly integrity: ContentHash; readonly reason: string } | undefined;

  private constructor(
    pool: ProcessPool,
    { file, pointer }: { readonly file: string; readonly pointer: JsonPointer },
    options: ProcessPoolOptions,
  ) {
    this.#pool = pool;
    this.#file = file;
    this.pointer = pointer;
    this.#options = options;
    this.#checks = new IsolatedChecks({
      ...{ plugin: options.plugin, timers: options.timers },
      version: () => this.#version,
      ask: (question) => this.ask(question),
      link: () => {
        const linked = this.#pool;
        return (call) => this.#poolOf(linked === this.#before).run(call);
      },
      close: () => this.close(),
    });
  }

  /** Starts the plugin of an entry. Never throws. */
  static async load(
    { entry, file, isPackage }: { readonly entry: PluginEntry; readonly file: string; readonly isPackage: boolean },
    { variables, spawner, log, timers = systemTimers }: IsolationOptions,
  ): Promise<IsolatedPlugin | Refused> {
    let loaded: IsolatedPlugin | undefined;
    const shares = new CallShares();
    const printed = (line: string): void => log(`The isolated plugin "${entry.package}" printed: ${line}`);
    const options: ProcessPoolOptions = {
      ...{ plugin: entry.package, timers, log, shares },
      start: (events) =>
        startVersion({ entry, file, isPackage, variables, spawner, timers, shares, printed, ...events }),
      incompatibility: (version, pool) => (loaded === undefined ? undefined : loaded.#misfit(version, pool)),
      ready: (isOther, pool) => {
        if (loaded !== undefined && pool === loaded.#pool) loaded.#take(pool, isOther);
      },
    };
    const pool = await ProcessPool.open(options);
    if ('problems' in pool) return pool;
    loaded = new IsolatedPlugin(pool, { file, pointer: entry.pointer }, options);
    return loaded;
  }

  get name(): string {
    return this.#checks.name;
  }

  /** The process that runs the checks of all tenants without a separate process. */
  get pid(): number {
    return this.#pool.pid;
  }

  /** Why the version on disk is not in service, in one sentence. */
  get problem(): string | undefined {
    return this.#rejected?.reason;
  }

  /** The plugin, as the gateway sees it. */
  get plugin(): Plugin {
    return this.#checks.plugin;
  }

  /** Starts a round: `settle` waits for what the compiler asks its checks from now on. */
  begin(): void {
    this.#checks.begin();
  }

  /**
   * Waits for what the compiler asked its checks. Returns whether anything was answered, so that the compiler should ask again.
   */
  settle(): Promise<boolean> {
    return this.#checks.settle();
  }

  /** Asks for what is needed to link the call, if the check is one of its own. */
  prepare(call: CheckCall): void {
    this.#checks.prepare(call);
  }

  /** Returns the version that plans of workers are linked with now. */
  versionNow(): OwnedVersion {
    const { described, permissions, integrity } = this.#version;
    return { described, permissions, integrity, version: this.#numberOf(this.#pool) };
  }

  /** Runs a check of a worker's plan, which was linked with a version. */
  run(version: number, call: NewCall): Promise<Verdict> {
    return this.#poolOf(this.#before !== undefined && this.#numberOf(this.#before) === version).run(call);
  }

  /** Asks the process in service. If that process ends before it reaches the question, asks the next one. */
  async ask(question: Question): Promise<DescribedParameters | undefined> {
    while (!this.#isClosed) {
      const described = await this.#pool.ask(question);
      if (described !== undefined) return described;
      await this.#next.promise;
    }
    return undefined;
  }

  /**
   * Puts the version on disk on trial if its files have changed. Plans linked from now on use it; earlier plans do not. Returns
   * whether plans must be compiled again; the caller must then call `confirm` or `revert`.
   */
  async refresh(): Promise<boolean> {
    this.#takesUpdates = true;
    const integrity = this.#onDisk();
    if (integrity === this.#version.integrity) this.#rejected = undefined;
    else if (integrity !== undefined && integrity !== this.#rejected?.integrity && !this.#isClosed)
      await this.#replace(integrity);
    const hasUpdate = this.#hasUpdate;
    this.#hasUpdate = false;
    return hasUpdate;
  }

  /**
   * Accepts the version on trial, because all plans use it. The processes of the previous version end when their calls are
   * finished.
   */
  confirm(): void {
    this.#before?.retire();
    this.#before = undefined;
  }

  /** Goes back to the version before the one on trial. */
  revert(reason: string): void {
    if (this.#before === undefined) return;
    const tried = this.#pool;
    this.#serve(this.#before, true);
    this.#before = undefined;
    tried.retire();
    this.#reject(tried.version.integrity, reason);
  }

  /** Ends the plugin's processes. */
  close(): void {
    this.#isClosed = true;
    this.#next.resolve();
    this.#pool.kill();
    this.#before?.kill();
  }

  /** The version in service. */
  get #version(): ReadyVersion {
    return this.#pool.version;
  }

  #onDisk(): ContentHash | undefined {
    try {
      return pluginHash(this.#file, readManifest(this.#file));
    } catch {
      // It is currently being replaced.
      return undefined;
    }
  }

  /** A plan whose parameters may not match the version on trial stays with the previous version. */
  #poolOf(wasLinkedBefore: boolean): ProcessPool {
    return (wasLinkedBefore ? this.#before : undefined) ?? this.#pool;
  }

  #numberOf(pool: ProcessPool): number {
    const known = this.#numbers.get(pool);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(pool, this.#lastNumber);
    return this.#lastNumber;
  }

  #serve(pool: ProcessPool, isOther: boolean): void {
    this.#pool = pool;
    // The same version would give the same answers.
    if (isOther) this.#checks.clear();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Returns why a version cannot replace the one of the running processes, or `undefined` if it can. */
  #misfit(version: ReadyVersion, pool: ProcessPool): string | undefined {
    if (version.integrity === pool.version.integrity) return undefined;
    if (!this.#takesUpdates)
      return 'its files have changed, and compiled plans are for the files that it was started with';
    if (pool !== this.#pool) return 'its files have changed';
    if (version.described.name !== this.name || toNames(version) !== toNames(this.#version))
      return 'it provides other checks, which needs a restart of the gateway';
    return undefined;
  }

  #take(pool: ProcessPool, isOther: boolean): void {
    this.#hasUpdate ||= isOther;
    this.#rejected = undefined;
    this.#serve(pool, isOther);
  }

  #reject(integrity: ContentHash, reason: string): void {
    const fact = `The plugin "${this.#options.plugin}" has changed on disk, and its earlier version stays in service`;
    this.#rejected = { integrity, reason: `${fact}: ${reason}` };
  }

  async #replace(integrity: ContentHash): Promise<void> {
    const pool = await ProcessPool.open(this.#options);
    const why = 'problems' in pool ? refusalText(pool) : this.#misfit(pool.version, this.#pool);
    if (why === undefined && 'run' in pool && !this.#isClosed) {
      const before = this.#pool;
      this.#take(pool, pool.version.integrity !== before.version.integrity);
      if (before.isDown) before.retire();
      else this.#before = before;
      return;
    }
    if ('run' in pool) pool.kill();
    this.#reject(integrity, why ?? 'the gateway is closing');
  }
}
