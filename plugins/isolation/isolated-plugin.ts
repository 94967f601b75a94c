import type { ContentHash } from '../../schema/canonical.ts';
import { errorText } from '../../schema/error-text.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { CheckCall } from '../../schema/plan.ts';
import { readManifest } from '../loading/manifest.ts';
import type { PluginEntry, Refused } from '../loading/plugin-entry.ts';
import { pluginHash } from '../loading/plugin-hash.ts';
import { type Check, type CheckServices, guardrailNames, type Verdict } from '../sdk/guardrail.ts';
import type { Timers } from '../sdk/in-process.ts';
import { type Plugin, pluginApi } from '../sdk/plugin.ts';
import type { NewCall } from './calls.ts';
import type { DescribedGuardrail, Question, ToldParameters } from './protocol.ts';
import { proxyGuardrail } from './proxy-guardrail.ts';
import type { Spawner } from './spawner.ts';
import { type ReadyVersion, type StartVersionOptions, startVersion } from './start-version.ts';
import { systemTimers } from './system-timers.ts';
import { ToldAnswers } from './told-answers.ts';

export interface IsolationOptions {
  /** The variables that plugins get those from that they declare. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Takes lines for the operator, without their ends. */
  readonly log: (line: string) => void;
  readonly timers?: Timers;
  /** What starts the processes; this process itself if absent. */
  readonly spawner?: Spawner | undefined;
}

const firstDelayMs = 100;
const longestDelayMs = 30_000;
/** A process that has run for so long has not been started in vain. */
const healthyMs = 60_000;
/** How long a check is waited for where its caller does not say. */
const usualWithinMs = 5000;

const namesOf = ({ described }: ReadyVersion): string =>
  JSON.stringify(described.guardrails.map(({ id, ...more }) => [id, ...guardrailNames({ id, ...more })]).sort());

/**
 * A plugin whose checks run in a process of their own. The process is started again when it ends, and replaced when the
 * plugin's files change; requests see neither, but for the calls that it was running.
 */
export class IsolatedPlugin {
  readonly #start: Omit<StartVersionOptions, 'died' | 'printed' | 'timers'>;
  readonly #options: IsolationOptions;
  readonly #timers: Timers;
  readonly #answers: ToldAnswers;
  #version: ReadyVersion;
  /** The version before, while the one in service is on trial. */
  #before: ReadyVersion | undefined;
  /** Why no process runs now. */
  #down: string | undefined;
  #deaths = 0;
  #bornAt: number;
  #stopRestart: () => void = () => {};
  /** Settles when another process is in service, or none will be. */
  #next: PromiseWithResolvers<void> = Promise.withResolvers();
  #isClosed = false;
  /** Whether another version may be put into service; its plans are then compiled again. */
  #takesUpdates = false;
  #hasUpdate = false;
  /** The version on disk that was tried, and why it is not in service. */
  #rejected: { readonly integrity: ContentHash; readonly reason: string } | undefined;

  private constructor(
    version: ReadyVersion,
    start: Omit<StartVersionOptions, 'died' | 'printed' | 'timers'>,
    options: IsolationOptions,
  ) {
    this.#version = version;
    this.#start = start;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#answers = new ToldAnswers(this.#timers, (question) => this.#ask(question));
    this.#bornAt = this.#timers.wall();
  }

  /** Starts the plugin of an entry. It never throws. */
  static async load(
    { entry, file, isPackage }: { readonly entry: PluginEntry; readonly file: string; readonly isPackage: boolean },
    options: IsolationOptions,
  ): Promise<IsolatedPlugin | Refused> {
    const { variables, spawner } = options;
    const start = { entry, file, isPackage, variables, spawner };
    // The process may end before it is known to whom.
    let loaded: IsolatedPlugin | undefined;
    const version = await startVersion({
      ...start,
      timers: options.timers ?? systemTimers,
      printed: (line) => options.log(`The isolated plugin "${entry.package}" printed: ${line}`),
      died: (why, culprit) => {
        if (loaded !== undefined) loaded.#died(why, culprit);
      },
    });
    if ('problems' in version) return version;
    loaded = new IsolatedPlugin(version, start, options);
    return loaded;
  }

  get name(): string {
    return this.#version.described.name;
  }

  /** The process that runs its checks now. */
  get pid(): number {
    return this.#version.process.pid;
  }

  /** Why the version on disk is not in service, in one sentence. */
  get problem(): string | undefined {
    return this.#rejected?.reason;
  }

  /** The plugin, as the gateway sees it. */
  get plugin(): Plugin {
    const { permissions } = this.#version;
    return {
      name: this.name,
      api: pluginApi,
      permissions,
      integrity: () => this.#version.integrity,
      guardrails: this.#version.described.guardrails.map((guardrail) =>
        proxyGuardrail(guardrail, {
          described: (id) => this.#described(id),
          told: (question) => this.#answers.get(question),
          known: (question) => this.#answers.known(question),
          link: (...linked) => this.#link(...linked),
        }),
      ),
      apply: (hooks) => hooks.close.tapPromise(this.name, async () => this.close()),
    };
  }

  /** From here on, what the compiler asks of its checks is waited for by `settle`. */
  begin(): void {
    this.#answers.begin();
  }

  /** Waits for what the compiler asked of its checks; whether anything was answered, and it should ask again. */
  settle(): Promise<boolean> {
    return this.#answers.settle();
  }

  /** Asks what linking the call needs to know, if the check is one of its own. */
  prepare({ check, parameters, secrets }: CheckCall): void {
    if (this.#described(check) === undefined) return;
    this.#answers.get({ about: 'declaration', check, parameters });
    // Without its secrets it may not be created; with them it is when it first runs.
    if (secrets === undefined) this.#answers.get({ about: 'creation', check, parameters });
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

  /** All plans use the version on trial: the process before it ends when its calls are done. */
  confirm(): void {
    this.#before?.process.retire();
    this.#before = undefined;
  }

  /** Goes back to the version before the one on trial. */
  revert(reason: string): void {
    if (this.#before === undefined) return;
    const { integrity, process } = this.#version;
    const before = this.#before;
    this.#before = undefined;
    this.#stopRestart();
    this.#serve(before, true);
    process.retire();
    this.#reject(integrity, reason);
  }

  /** Ends its process. */
  close(): void {
    this.#isClosed = true;
    this.#stopRestart();
    this.#next.resolve();
    this.#version.process.kill();
    this.#before?.process.kill();
  }

  /** As the gateway file names it. */
  get #entryName(): string {
    return this.#start.entry.package;
  }

  #onDisk(): ContentHash | undefined {
    try {
      return pluginHash(this.#start.file, readManifest(this.#start.file));
    } catch {
      // It is being replaced at the moment.
      return undefined;
    }
  }

  #described(check: string): DescribedGuardrail | undefined {
    return this.#version.described.guardrails.find(({ id }) => id === check);
  }

  #link(check: string, parameters: JsonObject, services: CheckServices): Check {
    const linked = this.#version;
    return (input, withinMs = usualWithinMs) => {
      const call = { check, input, services, withinMs };
      // A plan whose parameters may not fit the version on trial stays with the one before it.
      return linked === this.#before ? linked.process.run(call, parameters) : this.#run(call, parameters);
    };
  }

  /** Asks the process in service, or if that ends before it comes to the question, the one after it. */
  async #ask(question: Question): Promise<ToldParameters | undefined> {
    while (!this.#isClosed) {
      const told = await this.#version.process.tell(question);
      if (told !== undefined) return told;
      await this.#next.promise;
    }
    return undefined;
  }

  #run(call: NewCall, parameters: JsonObject): Promise<Verdict> {
    if (this.#down === undefined) return this.#version.process.run(call, parameters);
    return Promise.reject(
      new Error(`The isolated plugin "${this.#entryName}" of the check "${call.check}" does not run: ${this.#down}.`),
    );
  }

  async #begin(): Promise<ReadyVersion | Refused> {
    const { log } = this.#options;
    let started: ReadyVersion | undefined;
    const version = await startVersion({
      ...this.#start,
      timers: this.#timers,
      printed: (line) => log(`The isolated plugin "${this.#entryName}" printed: ${line}`),
      died: (why, culprit) => {
        if (started !== undefined && started === this.#version) this.#died(why, culprit);
      },
    });
    if ('process' in version) started = version;
    return version;
  }

  #serve(version: ReadyVersion, isOther: boolean): void {
    this.#version = version;
    this.#down = undefined;
    // The same version says the same again.
    if (isOther) this.#answers.clear();
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Why a version cannot take the place of the one in service; `undefined` if it can. */
  #misfit(version: ReadyVersion): string | undefined {
    if (version.integrity === this.#version.integrity) return undefined;
    if (!this.#takesUpdates) return 'its files have changed, and compiled plans are for those it was started with';
    if (version.described.name !== this.name || namesOf(version) !== namesOf(this.#version))
      return 'it provides other checks, which needs a restart of the gateway';
    return undefined;
  }

  #take(version: ReadyVersion): void {
    const isOther = version.integrity !== this.#version.integrity;
    this.#hasUpdate ||= isOther;
    this.#bornAt = this.#timers.wall();
    this.#rejected = undefined;
    this.#serve(version, isOther);
  }

  #reject(integrity: ContentHash, reason: string): void {
    const fact = `The plugin "${this.#entryName}" has changed on disk, and its earlier version stays in service`;
    this.#rejected = { integrity, reason: `${fact}: ${reason}` };
  }

  async #replace(integrity: ContentHash): Promise<void> {
    const version = await this.#begin();
    const why =
      'problems' in version ? version.problems.map(({ message }) => message).join(' ') : this.#misfit(version);
    if (why === undefined && 'process' in version && !this.#isClosed) {
      this.#stopRestart();
      this.#before = this.#down === undefined ? this.#version : undefined;
      this.#take(version);
      return;
    }
    if ('process' in version) version.process.kill();
    this.#reject(integrity, why ?? 'the gateway is closing');
  }

  #died(why: string, culprit: string | undefined): void {
    if (this.#isClosed) return;
    if (this.#timers.wall() - this.#bornAt > healthyMs) this.#deaths = 0;
    const during = culprit === undefined ? '' : ` while its check "${culprit}" ran`;
    this.#restart(`The process of the isolated plugin "${this.#entryName}" ended${during}: ${why}.`, why);
  }

  #restart(fact: string, why: string): void {
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#deaths);
    this.#deaths += 1;
    this.#down = why;
    this.#options.log(`${fact} It is started again in ${delayMs} ms.`);
    this.#stopRestart = this.#timers.after(delayMs, () => {
      this.#again().catch((error: unknown) => this.#restart(errorText(error), why));
    });
  }

  async #again(): Promise<void> {
    const version = await this.#begin();
    const isReady = 'process' in version;
    const misfit = isReady ? this.#misfit(version) : version.problems.map(({ message }) => message).join(' ');
    if (isReady && (misfit !== undefined || this.#isClosed || this.#down === undefined)) version.process.kill();
    if (this.#isClosed || this.#down === undefined) return;
    if (misfit !== undefined)
      this.#restart(`The isolated plugin "${this.#entryName}" cannot be started: ${misfit}`, misfit);
    else if (isReady) this.#take(version);
  }
}
