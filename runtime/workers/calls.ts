import type { CacheEntry } from '../../plugins/sdk/cache/cache.ts';
import type { VectorRow, Vectors } from '../../plugins/sdk/cache/vectors.ts';
import type { ItemsOwner } from '../../plugins/sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { SampleRequest } from '../cli/sample-request.ts';
import type { TextFile } from '../cli/services/serve-services.ts';
import type { Finding } from '../file-plans/load-files.ts';
import type { SourceFile, UnreadableFile } from '../file-plans/plan-source.ts';
import type { ReadyFacts } from '../status-pages/ready-facts.ts';
import type { CircuitChange, CircuitNews, CircuitState } from './circuit-change.ts';

/** The files in the folder of configs or plans, as found by one reading. */
export type HandedFiles = readonly (SourceFile | UnreadableFile)[];

/** The files that all workers serve. If one is not accepted now, its last good version is in `good`. */
export interface CommittedFiles {
  readonly good: HandedFiles;
  readonly current: HandedFiles;
}

/** All that a worker needs to start. It comes with the handle that all workers listen on. */
export interface WorkerSetup {
  /** Its number, unique among the workers of an owner. */
  readonly worker: number;
  /** How many workers there are to be. */
  readonly workers: number;
  /** The key for the placeholders of redacted values. */
  readonly placeholderKey: string;
  /** The gateway file as the owner read it. Absent if there is none. */
  readonly gatewayFile?: TextFile | undefined;
  /** Absent if no folder is served. */
  readonly files?: CommittedFiles | undefined;
  readonly circuits: readonly CircuitState[];
  readonly items: readonly RememberedItems[];
}

/** Items of answers that later requests may name. */
export interface RememberedItems {
  readonly of: ItemsOwner;
  readonly items: readonly JsonObject[];
}

/** Sent by a worker that listens. */
export interface Listens {
  readonly plans: readonly string[];
  /** As shown in the greeting. */
  readonly sample: SampleRequest | undefined;
  /** Identifies what it serves, like the outcome of a prepared reload. */
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
  /** Why it does not serve everything that it should. */
  readonly reason?: string | undefined;
}

/**
 * A text for the operator. With `once`, a text that each worker prints by itself is printed only once by the owner; with `state`,
 * once all workers have reached the same state.
 */
export interface Printed {
  readonly to: 'out' | 'err';
  readonly text: string;
  readonly once?: boolean;
  readonly state?: string | undefined;
}

/** An answer that is stored for all workers. */
export interface CacheWrite {
  readonly tenant: TenantId;
  readonly id: string;
  readonly entry: CacheEntry;
  readonly ttlS: number;
}

/** A call to the vectors of the semantic cache. */
export type VectorsCall =
  | { readonly do: 'has'; readonly partition: string }
  | { readonly do: 'nearest'; readonly partition: string; readonly vector: Float32Array; readonly min: number }
  | { readonly do: 'add'; readonly row: VectorRow }
  | { readonly do: 'remove'; readonly partition: string; readonly id: string };

/** Whether there is one, or the rows that were found. Undefined if something was changed. */
export type VectorsAnswer = boolean | Awaited<ReturnType<Vectors['nearest']>> | undefined;

/** The calls that a worker answers. */
export interface WorkerCalls {
  /** Returns the page `/readyz` of this worker alone. */
  readiness(argument: undefined): ReadyFacts;
  /** Returns its own `/metrics`. Empty if there are none. */
  metrics(argument: undefined): string;
  prepare(argument: { readonly files: HandedFiles; readonly relink: boolean }): Prepared;
  /** Puts what was prepared into service, or drops it. */
  decide(argument: { readonly commit: boolean }): Decided;
  /** A signal from the operator to the gateway. */
  signal(argument: { readonly signal: 'SIGTERM' | 'SIGHUP' }): void;
  /** Called when another worker takes its place: it accepts no more connections, and ends when its requests have. */
  retire(argument: undefined): void;
  /** Returns the slug of a workspace. Undefined if there is none. */
  findSlug(argument: { readonly workspace: string }): string | undefined;
  circuits(argument: CircuitNews): void;
  /** A request that an isolated check of this worker sends. */
  isolated(argument: unknown): unknown;
  /** Items that another worker remembers. */
  items(argument: RememberedItems): void;
}

/** The calls that the owner answers. */
export interface OwnerCalls {
  /** Called when the worker listens. */
  listens(argument: Listens): void;
  /**
   * Called if the worker cannot start, with the sentence for the operator and the exit code of a gateway with a single process.
   */
  fails(argument: { readonly message: string; readonly code: number }): void;
  print(argument: Printed): void;
  /** Returns the page `/readyz` of all workers, given that of the calling worker. */
  wholeReadiness(argument: ReadyFacts): ReadyFacts;
  /** Returns the metrics of all workers. */
  wholeMetrics(argument: undefined): string;
  /** Changes that take effect only after a restart, as far as this worker knows them. */
  restarts(argument: readonly string[]): void;
  /** Links all plans again in all workers, because a secret without a value now has one. */
  relink(argument: undefined): void;
  /** Its last metrics before it ends. */
  leaves(argument: string): void;
  circuit(argument: CircuitChange): void;
  /** Answers once everything that this worker has sent before is processed, and its results were sent to the worker. */
  confirm(argument: undefined): void;
  /** A message to the control plane, which alone knows its format. */
  control(argument: unknown): unknown;
  /** A message about isolated plugins, whose checks run in processes of the owner. */
  isolated(argument: unknown): unknown;
  /** Inputs of alerts, which alone know their format. */
  alerts(argument: unknown): void;
  readCache(argument: { readonly id: string }): CacheEntry | undefined;
  /** Returns whether this worker is now the one that produces the answer with this id. */
  leadCache(argument: { readonly id: string }): boolean;
  /** Called when it has produced the answer, or will not. */
  endLead(argument: { readonly id: string }): void;
  /** Answers when nobody is producing the answer with this id any more. */
  awaitLead(argument: { readonly id: string }): void;
  /** For the semantic cache. */
  vectors(argument: VectorsCall): VectorsAnswer;
  writeCache(argument: CacheWrite): void;
  items(argument: RememberedItems): void;
}
