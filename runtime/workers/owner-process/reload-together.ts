import { basename } from 'node:path';
import { errorText } from '../../../schema/text/error-text.ts';
import type { GenerationsStatus } from '../../file-plans/generations.ts';
import type { Finding } from '../../file-plans/load-files.ts';
import type { PlanSource } from '../../file-plans/plan-source.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import type { CommittedFiles, Decided, HandedFiles, Listens, OwnerCalls, Prepared, WorkerCalls } from '../calls.ts';
import type { Channel } from '../channel.ts';
import { commitFiles } from '../committed-files.ts';

/** Longer than compiling and linking all plans of a gateway takes. */
const prepareMs = 30_000;
/** A worker that does not swap its plans within this time does not answer requests either. */
const decideMs = 10_000;

/** The parts of a worker that reloads use. */
export interface ReloadedWorker {
  readonly id: number;
  readonly channel: Pick<Channel<WorkerCalls, OwnerCalls>, 'ask' | 'isClosed'>;
  /** By how much its generation number is lower than that of the gateway. */
  behind: number;
  kill(): void;
}

export interface ReloadTogetherOptions {
  /** The folder of configs or plans. */
  readonly source: Pick<PlanSource, 'folder' | 'read'>;
  /** Returns the serving workers. */
  readonly workers: () => readonly ReloadedWorker[];
  readonly first: HandedFiles;
}

type Outcome = { readonly worker: ReloadedWorker } & ({ readonly prepared: Prepared } | { readonly error: string });

/** Returns why the workers cannot all serve the same. */
const findDifference = (outcomes: readonly Outcome[]): string | undefined => {
  const [first] = outcomes;
  for (const outcome of outcomes) {
    if ('error' in outcome) return `Worker ${outcome.worker.id} cannot prepare them. ${outcome.error}`;
    if (first === undefined || !('prepared' in first) || outcome.prepared.outcome === first.prepared.outcome) continue;
    const [reason] = outcome.prepared.findings.flatMap((finding) => finding.reason ?? []);
    const [other] = first.prepared.findings.flatMap((finding) => finding.reason ?? []);
    return `Worker ${outcome.worker.id} would serve different plans from worker ${first.worker.id}. ${reason ?? other ?? ''}`.trimEnd();
  }
  return undefined;
};

type Refusal = GenerationsStatus['refused'][number];

const findRefusals = ({ findings }: Prepared): readonly Refusal[] =>
  findings.flatMap(({ source: { file }, reason }) => (reason === undefined ? [] : [{ file: basename(file), reason }]));

const refusedFiles = ({ findings }: Prepared): ReadonlySet<string> =>
  new Set(findings.filter(({ reason }) => reason !== undefined).map(({ source }) => source.file));

/**
 * The plans of all workers. A reload has two phases: each worker links what one reading of the folder found, and all of them put
 * it into service only if all would serve the same. Otherwise none does.
 */
export class ReloadTogether {
  readonly #options: ReloadTogetherOptions;
  #committed: CommittedFiles;
  #outcome: string | undefined;
  #generation = 0;
  #reason: string | undefined;
  #refused: readonly Refusal[] = [];
  #missing: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ReloadTogetherOptions) {
    this.#options = options;
    this.#committed = { good: options.first, current: options.first };
  }

  get committed(): CommittedFiles {
    return this.#committed;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Why what is on disk is not served. Undefined if it is. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The files that are not served as they are on disk. */
  get refused(): readonly Refusal[] {
    const whole = this.#reason;
    return whole === undefined
      ? this.#refused
      : [{ file: this.#options.source.folder, reason: whole }, ...this.#refused];
  }

  /** Why what is in service is incomplete. Undefined if it is complete. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /** Rejects if the folder cannot be read, in which case nothing changes. */
  reload(relink: boolean): Promise<readonly Finding[]> {
    return this.#next(async () => {
      const files = await this.#read();
      const workers = this.#options.workers();
      const outcomes = await this.#prepare(workers, { files, relink });
      if (outcomes.length === 0) return [this.#unread('The plans are read again when a worker serves. None does now.')];
      const difference = findDifference(outcomes);
      const decided = await this.#decide(outcomes, difference === undefined);
      const [first] = outcomes;
      if (first === undefined || !('prepared' in first) || difference !== undefined) return this.#refuse(difference);
      this.#reason = undefined;
      this.#refused = findRefusals(first.prepared);
      this.#committed = commitFiles(this.#committed, files, refusedFiles(first.prepared));
      this.#generation = Math.max(this.#generation, decided.generation);
      this.#missing = decided.reason;
      this.#outcome = first.prepared.outcome;
      return first.prepared.findings;
    });
  }

  /** Brings a listening worker to what the others serve. Rejects if it cannot serve that. */
  admit(worker: ReloadedWorker, { outcome, generation }: Listens, admitted: () => void): Promise<void> {
    return this.#next(async () => {
      if (this.#outcome === undefined) this.#generation = generation;
      this.#outcome ??= outcome;
      let serves = generation;
      if (outcome !== this.#outcome) {
        const [caughtUp] = await this.#prepare([worker], { files: this.#committed.current, relink: false });
        const isSame = caughtUp !== undefined && 'prepared' in caughtUp && caughtUp.prepared.outcome === this.#outcome;
        ({ generation: serves } = await this.#decide(caughtUp === undefined ? [] : [caughtUp], isSame));
        if (!isSame) throw new Error('It would serve different plans from the other workers.');
      }
      worker.behind = this.#generation - serves;
      admitted();
    });
  }

  #next<Value>(run: () => Promise<Value>): Promise<Value> {
    const running = this.#last.then(run);
    this.#last = running.catch(() => {});
    return running;
  }

  async #prepare(
    workers: readonly ReloadedWorker[],
    argument: { readonly files: HandedFiles; readonly relink: boolean },
  ): Promise<readonly Outcome[]> {
    const outcomes = await Promise.all(
      workers.map(
        (worker): Promise<Outcome> =>
          worker.channel.ask('prepare', argument, prepareMs).then(
            (prepared) => ({ worker, prepared }),
            (error: unknown) => ({ worker, error: errorText(error) }),
          ),
      ),
    );
    // A worker that ended meanwhile is replaced by another, which starts with what is in service then.
    return outcomes.filter(({ worker }) => !worker.channel.isClosed);
  }

  /** Resolves to what is served afterwards, with the gateway's generation numbers. */
  async #decide(outcomes: readonly Outcome[], commit: boolean): Promise<Decided> {
    const decisions = await Promise.all(
      outcomes.map(async (outcome): Promise<readonly Decided[]> => {
        if (!('prepared' in outcome)) return [];
        const { worker } = outcome;
        try {
          const decided = await worker.channel.ask('decide', { commit }, decideMs);
          return [{ ...decided, generation: worker.behind + decided.generation }];
        } catch {
          // A worker that may serve something different from the others must not serve.
          worker.kill();
          return [];
        }
      }),
    );
    const [first = { generation: 0 }] = decisions.flat().sort((a, b) => b.generation - a.generation);
    return first;
  }

  async #read(): Promise<HandedFiles> {
    try {
      return await this.#options.source.read();
    } catch (error) {
      this.#reason = `The folder ${this.#options.source.folder} cannot be read, so its plans stay in service unchanged. ${unreadableReason(error)}`;
      throw error;
    }
  }

  #refuse(difference: string | undefined): readonly Finding[] {
    if (difference === undefined) return [];
    const { folder } = this.#options.source;
    this.#reason = `The plans in ${folder} are not in service, because not all workers can serve them. ${difference}`;
    return [this.#unread(`The new plans are not served, because not all workers can serve them. ${difference}`)];
  }

  /** Reports what was not put into service as an unreadable file, which is tried again. */
  #unread(reason: string): Finding {
    return { source: { name: '', file: this.#options.source.folder, unreadable: reason }, diagnostics: [], reason };
  }
}
