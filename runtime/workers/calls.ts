import type { CacheEntry } from '../../plugins/sdk/cache/cache.ts';
import type { VectorRow, Vectors } from '../../plugins/sdk/cache/vectors.ts';
import type { ItemsOwner } from '../../plugins/sdk/control-plane/stored-items.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { SampleRequest } from '../cli/sample-request.ts';
import type { TextFile } from '../cli/services/serve-services.ts';
import type { Finding } from '../plan-generations/load-files.ts';
import type { SourceFile, UnreadableFile } from '../plan-generations/plan-source.ts';
import type { ReadyFacts } from '../status-pages/ready-facts.ts';
import type { CircuitChange, CircuitNews, CircuitState } from './circuit-change.ts';

/** The files of the folder of configs or plans, as one reading of it found them. */
export type HandedFiles = readonly (SourceFile | UnreadableFile)[];

/** The files that all workers serve. Of one that is not accepted now, the last good version stands in `good`. */
export interface CommittedFiles {
  readonly good: HandedFiles;
  readonly current: HandedFiles;
}

/** All that a worker needs to begin. It comes with the handle that all workers listen on. */
export interface Seat {
  /** Its number: no two workers of one owner have the same. */
  readonly worker: number;
  /** How many of them there are to be. */
  readonly workers: number;
  /** The key of the placeholders that stand for redacted values. */
  readonly placeholderKey: string;
  /** The gateway file as the owner read it; absent where there is none. */
  readonly gatewayFile?: TextFile | undefined;
  /** Absent where no folder is served. */
  readonly files?: CommittedFiles | undefined;
  readonly circuits: readonly CircuitState[];
  readonly items: readonly RememberedItems[];
}

/** Items of answers that later requests may name. */
export interface RememberedItems {
  readonly of: ItemsOwner;
  readonly items: readonly JsonObject[];
}

/** A worker that listens. */
export interface Listens {
  readonly plans: readonly string[];
  /** As the greeting has it. */
  readonly sample: SampleRequest | undefined;
  /** Names what it serves, as that of a prepared reload. */
  readonly outcome: string;
  /** The number of the generation of its plans. */
  readonly generation: number;
}

/** A reload that a worker has prepared. */
export interface Prepared {
  readonly findings: readonly Finding[];
  readonly outcome: string;
}

/** The state of a worker after a reload was decided. */
export interface Decided {
  /** The number of the generation. */
  readonly generation: number;
  /** Why it does not serve all that it is to serve. */
  readonly reason?: string | undefined;
}

/**
 * A text for the operator. Of one that each worker prints by itself, `once` has the owner print one; with `state`, when all
 * workers have come to the same one.
 */
export interface Printed {
  readonly to: 'out' | 'err';
  readonly text: string;
  readonly once?: boolean;
  readonly state?: string | undefined;
}

/** A call of the vectors of the semantic cache. */
export type VectorsCall =
  | { readonly do: 'has'; readonly partition: string }
  | { readonly do: 'nearest'; readonly partition: string; readonly vector: Float32Array; readonly min: number }
  | { readonly do: 'add'; readonly row: VectorRow }
  | { readonly do: 'remove'; readonly partition: string; readonly id: string };

/** Whether there is one, or the rows that were found; nothing where something was changed. */
export type VectorsAnswer = boolean | Awaited<ReturnType<Vectors['nearest']>> | undefined;

/** The calls that a worker answers. */
export interface WorkerCalls {
  /** Gives the page `/readyz` of this worker by itself. */
  readiness(argument: undefined): ReadyFacts;
  /** Its own `/metrics`; empty where there are none. */
  metrics(argument: undefined): string;
  prepare(argument: { readonly files: HandedFiles; readonly relink: boolean }): Prepared;
  /** Puts what was prepared into service, or drops it. */
  decide(argument: { readonly commit: boolean }): Decided;
  /** A signal of the operator's to the gateway. */
  signal(argument: { readonly signal: 'SIGTERM' | 'SIGHUP' }): void;
  /** Another worker takes its place: it takes no more connections, and ends when its requests have. */
  retire(argument: undefined): void;
  /** Reads the slug of a workspace; undefined where there is none. */
  findSlug(argument: { readonly workspace: string }): string | undefined;
  circuits(argument: CircuitNews): void;
  /** A request that an isolated check of this worker's sends. */
  isolated(argument: unknown): unknown;
  /** Items that another worker remembers. */
  items(argument: RememberedItems): void;
}

/** The calls that the owner answers. */
export interface OwnerCalls {
  /** It listens. */
  listens(argument: Listens): void;
  /** It cannot start: the sentence that its operator is to read, and the exit code of a gateway that is alone. */
  fails(argument: { readonly message: string; readonly code: number }): void;
  print(argument: Printed): void;
  /** Gives the page `/readyz` of all, from that of the worker which asks. */
  wholeReadiness(argument: ReadyFacts): ReadyFacts;
  /** The metrics of all workers. */
  wholeMetrics(argument: undefined): string;
  /** Changes that take effect only after a restart, as this worker knows them. */
  restarts(argument: readonly string[]): void;
  /** Links all plans again, in all workers: a secret has a value that had none. */
  relink(argument: undefined): void;
  /** Its last metrics, before it ends. */
  leaves(argument: string): void;
  circuit(argument: CircuitChange): void;
  /** Answers when all that this worker has sent before is known, and it was sent what came of it. */
  confirm(argument: undefined): void;
  /** A question to the control plane, which alone knows how it is written. */
  control(argument: unknown): unknown;
  /** A question about isolated plugins, whose checks run in processes of the owner. */
  isolated(argument: unknown): unknown;
  /** News that alerts are made of, which they alone know how to read. */
  alerts(argument: unknown): void;
  readCache(argument: { readonly id: string }): CacheEntry | undefined;
  /** Whether this worker is now the one that makes the answer with this id. */
  leadCache(argument: { readonly id: string }): boolean;
  /** It has made it, or makes none. */
  endLead(argument: { readonly id: string }): void;
  /** Answers when nobody makes the answer with this id any more. */
  awaitLead(argument: { readonly id: string }): void;
  /** Of the semantic cache. */
  vectors(argument: VectorsCall): VectorsAnswer;
  writeCache(argument: { readonly id: string; readonly entry: CacheEntry; readonly ttlS: number }): void;
  items(argument: RememberedItems): void;
}
