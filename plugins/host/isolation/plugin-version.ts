import type { JsonObject } from '../../../schema/json/json.ts';
import type { TenantId } from '../../sdk/exchange/exchange.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import type { PluginEntry, Refused } from '../loading/plugin-entry.ts';
import type { PluginProblem } from '../loading/plugin-problem.ts';
import type { CallShares } from './call-shares.ts';
import { type Call, Calls, type NewCall } from './calls.ts';
import { NotBegun } from './not-begun.ts';
import { HostRequests } from './protocol/host-requests.ts';
import {
  type DescribedParameters,
  type DescribedPlugin,
  defaultLine,
  type HostMessage,
  type Question,
} from './protocol/protocol.ts';
import { Questions } from './protocol/questions.ts';
import { readAnswered, readError, readMessage } from './protocol/read-message.ts';
import { SilenceWatch } from './silence-watch.ts';
import { type PluginProcess, type StartProcessOptions, startProcess } from './spawning/start-process.ts';

/** The maximum number of bytes that may wait for a process to read them. */
const maxWaiting = 64 * 1024 * 1024;
/** The maximum number of messages about calls that have already ended. Cancelled checks may cause a few. */
const maxStray = 10_000;
/** How long the calls of a replaced version may take, in milliseconds. */
const drainMs = 60_000;

export interface PluginVersionOptions
  extends Pick<StartProcessOptions, 'environment' | 'readable' | 'memoryMb' | 'spawner'> {
  readonly entry: PluginEntry;
  readonly file: string;
  /** Returns the hosts that the plugin may call, once they are known. */
  readonly hosts: () => readonly string[];
  readonly timers: Timers;
  readonly printed: (text: string) => void;
  /** The unanswered calls of all processes of the plugin. */
  readonly shares: CallShares;
  /** Called if the process ended unexpectedly, with the reason and what was running. */
  readonly died: (why: string, culprit: Culprit | undefined) => void;
  /** Called while a check of this tenant occupies the process and calls of others wait; repeatedly, as long as it does. */
  readonly occupied: (tenant: TenantId) => void;
}

/** The work that a process was doing when it ended. */
export interface Culprit {
  readonly check: string;
  /** The tenant whose request was judged. Absent if the process was answering a question. */
  readonly tenant?: TenantId;
}

type Started = { readonly plugin: DescribedPlugin } | Refused | { readonly why: string };

/** One process of an isolated plugin, from its start to its end. */
export class PluginVersion {
  readonly #options: PluginVersionOptions;
  readonly #process: PluginProcess;
  readonly #calls: Calls;
  readonly #requests: HostRequests;
  readonly #questions: Questions;
  readonly #silence: SilenceWatch;
  readonly #start = Promise.withResolvers<Started>();
  #stray = 0;
  /** Why the process has ended or is about to end. */
  #ended: string | undefined;
  #isRetired = false;

  constructor(options: PluginVersionOptions) {
    const { entry, file, hosts, timers, shares } = options;
    this.#options = options;
    const plugin = entry.package;
    this.#calls = new Calls({
      plugin,
      timers,
      shares,
      cancel: (id) => this.#send({ kind: 'cancel', id }),
      stuck: (call, withinMs) => {
        // A question occupies the process as well.
        const culprit = call.cancelled ? call : (this.#asked() ?? call);
        this.#end(`the check ran on after its time of ${withinMs} ms was over`, culprit);
      },
    });
    this.#questions = new Questions({ timers, stuck: (check, why) => this.#end(why, { check }) });
    this.#silence = new SilenceWatch({
      timers,
      isAwaited: () => this.#calls.waitsBeside(),
      silent: () => this.#logOccupied(),
    });
    this.#requests = new HostRequests({ plugin, hosts, send: (message) => this.#send(message) });
    this.#process = startProcess({
      ...options,
      longestLine: () => defaultLine + 2 * this.#calls.longest,
      receive: (message) => this.#receive(message),
      ended: (why) => this.#ending(why),
    });
    const { isolate: _, memory_mb: __, ...plain } = entry;
    this.#send({ kind: 'load', entry: plain, file });
  }

  /** Resolves to the process's description of the plugin, or to the reason why there is none. */
  get started(): Promise<Started> {
    return this.#start.promise;
  }

  get pid(): number {
    return this.#process.pid;
  }

  setEnvironment(values: Readonly<Record<string, string>>): void {
    this.#send({ kind: 'environment', values });
  }

  /** Answers a question about parameters. Resolves to `undefined` if the process ends before it reaches the question. */
  ask(question: Question): Promise<DescribedParameters | undefined> {
    if (this.#ended !== undefined) return Promise.resolve(undefined);
    const { id, answered } = this.#questions.begin(question.check);
    this.#send({ kind: 'ask', id, ...question });
    return answered;
  }

  /** Runs a check. Rejects if it throws, takes too long, or its process ends. */
  run(call: NewCall): Promise<Verdict> {
    const { package: plugin } = this.#options.entry;
    const refusal = this.#refusal(call.tenant);
    if (refusal !== undefined) return Promise.reject(new Error(`The isolated plugin "${plugin}" ${refusal}`));
    const { id, verdict } = this.#calls.begin(call);
    // A `RunMessage` whose members are already JSON.
    const size = this.#process.channel.sendText(`{"kind":"run","id":${id},${call.members.slice(1)}`);
    this.#calls.sent(id, size);
    this.#silence.watch();
    return verdict;
  }

  /** The number of calls that the process has not finished. */
  get size(): number {
    return this.#calls.size;
  }

  /** Gives up the calls of some tenants whose checks have not started. Each rejects with `NotBegun`. */
  release(matches: (tenant: TenantId) => boolean): void {
    this.#calls.release(matches);
  }

  /** Lets the calls finish, then ends the process. */
  retire(): void {
    this.#isRetired = true;
    this.#options.timers.after(drainMs, () => this.kill());
    this.#calls.whenEmpty(() => this.kill());
  }

  kill(why = 'it was stopped'): void {
    this.#isRetired = true;
    this.#process.kill(why);
  }

  #refusal(tenant: string): string | undefined {
    if (this.#ended !== undefined) return `does not run: ${this.#ended}.`;
    if (this.#process.channel.waiting > maxWaiting) return 'does not read what it is sent.';
    return this.#calls.refusal(tenant);
  }

  #send(message: HostMessage): number {
    return this.#process.channel.send(message);
  }

  #logOccupied(): void {
    const tenant = this.#calls.lastStarted()?.tenant;
    if (tenant === undefined || this.#asked() !== undefined || !this.#calls.waitsBeside(tenant)) return;
    this.#options.occupied(tenant);
  }

  /** Returns the question that the process is answering. */
  #asked(): Culprit | undefined {
    const check = this.#questions.current;
    return check === undefined ? undefined : { check };
  }

  #receive(message: unknown): void {
    this.#silence.heard();
    const read = readMessage(message);
    if (read === undefined) {
      this.#end('it sent something that is not a message');
      return;
    }
    const { kind, id, members } = read;
    switch (kind) {
      case 'loaded':
        // The description is validated where the plugin is created from it.
        this.#start.resolve({ plugin: members.plugin as unknown as DescribedPlugin });
        break;
      case 'refused':
        this.#start.resolve({ problems: members.problems as unknown as readonly PluginProblem[] });
        break;
      case 'asked':
        this.#questions.started(id);
        break;
      case 'described':
        this.#questions.answer(id, readAnswered(members.answered));
        break;
      case 'http':
        void this.#requests.answer(id, members.request, this.#calls.of(Number(members.call)));
        break;
      default:
        this.#receiveOfCall(kind, id, members);
    }
  }

  #receiveOfCall(kind: string, id: number, members: JsonObject): void {
    const isOver = kind !== 'started' && kind !== 'cancelled';
    const call = isOver ? this.#calls.take(id) : this.#calls.of(id);
    if (call === undefined) {
      this.#countStray();
      return;
    }
    const { name, message, verdict, isOfTarget } = members;
    switch (kind) {
      case 'started':
        this.#calls.started(call, id);
        break;
      case 'cancelled':
        call.cancelled = true;
        break;
      case 'verdict':
        if (isOfTarget !== false) call.recordTargetRead();
        // The linker validates verdicts, as it has to for plugins in the gateway's process.
        call.resolve(verdict as unknown as Verdict);
        break;
      default:
        call.reject(readError(name, message));
    }
  }

  #countStray(): void {
    this.#stray += 1;
    if (this.#stray > maxStray) this.#end('it sent too many messages about calls that do not exist');
  }

  #end(why: string, culprit?: Culprit): void {
    if (this.#ended !== undefined) return;
    this.#process.kill(why);
    this.#ending(why, culprit);
  }

  #ending(why: string, culprit: Culprit | undefined = this.#asked() ?? this.#calls.lastStarted()): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#silence.stop();
    const plugin = this.#options.entry.package;
    const cause = culprit === undefined ? '' : `, while its check "${culprit.check}" ran`;
    this.#calls.failAll(({ check, tenant, started }: Call) => {
      if (!started && culprit?.tenant !== undefined && culprit.tenant !== tenant) return new NotBegun();
      return new Error(
        check === culprit?.check
          ? `The process of the isolated plugin "${plugin}" ended while its check "${check}" ran: ${why}.`
          : `The process of the isolated plugin "${plugin}" ended before its check "${check}" answered: ${why}${cause}.`,
      );
    });
    this.#questions.endAll(why);
    this.#start.resolve({ why });
    if (!this.#isRetired) this.#options.died(why, culprit);
  }
}
