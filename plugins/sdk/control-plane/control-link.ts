import type { SinkStatus } from './store-status.ts';

/** The way of a worker to the control plane of the process that owns it. Questions and answers are clonable. */
export interface ControlLink {
  /** How many workers share what the owner has. */
  readonly workers: number;
  /** Rejects where there is no answer within so many milliseconds, or the owner has ended. */
  ask(question: unknown, ms: number): Promise<unknown>;
}

/** The parts of a control plane that the workers of a gateway have in common, in the process that owns them. */
export interface ControlOwner {
  /** Answers a worker. */
  answer(worker: number, question: unknown): Promise<unknown>;
  /** A worker has ended. */
  leave(worker: number): void;
  /** How each sink of the log does, in the order of the gateway file; none without any. */
  sinks(): readonly SinkStatus[];
  close(): Promise<void>;
}
