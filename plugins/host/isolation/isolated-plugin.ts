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
import type { Spawner } from './process/spawner.ts';
import { systemTimers } from './process/system-timers.ts';
import { ProcessPool, type ProcessPoolOptions } from './process-pool.ts';
import type { DescribedParameters, Question } from './protocol/protocol.ts';
import { type ReadyVersion, startVersion } from './start-version.ts';

export interface IsolationOptions {
  /** The variables that plugins get those from that they declare. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Takes lines for the operator, without their ends. */
  readonly log: (line: string) => void;
  readonly timers?: Clock;
  /** Starts the processes; this process itself if absent. */
  readonly spawner?: Spawner | undefined;
  /** Given to a worker: the way to the process that has the processes of its plugins. */
  readonly owner?: IsolationLink | undefined;
}

const toNames = ({ described }: ReadyVersion): string =>
  JSON.stringify(described.guardrails.map(({ id, ...more }) => [id, ...guardrailNames({ id, ...more })]).sort());

/**
 * A plugin whose checks run in processes of their own. A process is started again when it ends, and replaced when the
 * plugin's files change; requests see neither, but for the calls that it was running.
 */
export class IsolatedPlugin {
  readonly #file: string;
  readonly #options: ProcessPoolOptions;
  readonly #checks: IsolatedChecks;
  /** The position of its entry in the gateway file, by which workers ask for it. */
  readonly pointer: JsonPointer;
  /** The versions that workers link plans with, by number. */
  readonly #numbers = new WeakMap<ProcessPool, number>();
  #lastNumber = 0;
  #pool: ProcessPool;
  /** The processes of the version before, while the one in service is on trial. */
  #before: ProcessPool | undefined;
  /** Settles when another process is in service, or none will be. */
  #next: PromiseWithResolvers<void> = Promise.withResolvers();
  #isClosed = false;
  /** Whether another version may be put into service; its plans are then compiled again. */
  #takesUpdates = false;
  #hasUpdate = false;
  /** The version on disk that was tried, and why it is not in service. */
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

  /** Starts the plugin of an entry. It never throws. */
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
      misfit: (version, pool) => (loaded === undefined ? undefined : loaded.#misfit(version, pool)),
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

  /** The process that runs the checks of all tenants that are not set aside. */
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

  /** From here on, what the compiler asks of its checks is waited for by `settle`. */
  begin(): void {
    this.#checks.begin();
  }

  /** Waits for what the compiler asked of its checks; whether anything was answered, and it should ask again. */
  settle(): Promise<boolean> {
    return this.#checks.settle();
  }

  /** Asks what linking the call needs to know, if the check is one of its own. */
  prepare(call: CheckCall): void {
    this.#checks.prepare(call);
  }

  /** The version that plans of workers are linked with now. */
  versionNow(): OwnedVersion {
    const { described, permissions, integrity } = this.#version;
    return { described, permissions, integrity, version: this.#numberOf(this.#pool) };
  }

  /** Runs a check of a worker's plan that was linked with a version. */
  run(version: number, call: NewCall): Promise<Verdict> {
    return this.#poolOf(this.#before !== undefined && this.#numberOf(this.#before) === version).run(call);
  }

  /** Asks the process in service, or if that ends before it comes to the question, the one after it. */
  async ask(question: Question): Promise<DescribedParameters | undefined> {
    while (!this.#isClosed) {
      const described = await this.#pool.ask(question);
      if (described !== undefined) return described;
      await this.#next.promise;
    }
    return undefined;
  }

  /**
   * Puts the version on disk on trial if its files have changed: plans that are linked from now on use it, earlier ones do
   * not. Returns whether plans must be compiled again; `confirm` or `revert` follows then.
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

  /** All plans use the version on trial: the processes before it end when their calls are done. */
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

  /** Ends its processes. */
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
      // It is being replaced at the moment.
      return undefined;
    }
  }

  /** A plan whose parameters may not fit the version on trial stays with the one before it. */
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
    // The same version says the same again.
    if (isOther) this.#checks.clear();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Why a version cannot take the place of that of the processes; `undefined` if it can. */
  #misfit(version: ReadyVersion, pool: ProcessPool): string | undefined {
    if (version.integrity === pool.version.integrity) return undefined;
    if (!this.#takesUpdates) return 'its files have changed, and compiled plans are for those it was started with';
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
