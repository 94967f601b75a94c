import type { SinkStatus } from './store-status.ts';

/** A worker's connection to the control plane in the process that owns the workers. Questions and answers must be clonable. */
export interface ControlLink {
  /** The number of workers that share the owner. */
  readonly workers: number;
  /** Asks the owner. Rejects if there is no answer within `ms` milliseconds, or if the owner has ended. */
  ask(question: unknown, ms: number): Promise<unknown>;
}

/** The status of the parts that the process that owns the workers has. */
export interface OwnerStatus {
  /** The status of each log sink, in the order of the gateway file. Empty if there are none. */
  readonly sinks: readonly SinkStatus[];
  /** Why its ledger cannot be written, as a sentence. Absent if it can be, or if each worker writes its own. */
  readonly ledgerFailure?: string | undefined;
}

/** The part of a control plane that all workers of a gateway share, in the process that owns them. */
export interface ControlOwner {
  /** Answers a worker's question. */
  answer(worker: number, question: unknown): Promise<unknown>;
  /** Called when a worker has ended. */
  leave(worker: number): void;
  status(): OwnerStatus;
  close(): Promise<void>;
}
