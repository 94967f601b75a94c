import type { SQLInputValue } from 'node:sqlite';

/** The connections of a file: reads see what is committed, whatever a transaction of the writer has done so far. */
export type ConnectionName = 'reader' | 'writer';

export interface Statement {
  readonly kind: 'run';
  readonly on: ConnectionName;
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
  /** Parameters for each of several runs; those of one alone are in `parameters`. */
  readonly many?: readonly (readonly SQLInputValue[])[];
}

/** The use that a file is opened for. */
export interface FileUse {
  /** Whether this process is the one that serves the file. */
  readonly serving: boolean;
  /** Whether it may lose its last writes when the machine fails, and gives back the space of what is deleted from it. */
  readonly isLog?: boolean;
}

/** A question to the thread of SQLite. */
export type Question =
  | ({ readonly kind: 'open'; readonly file: string } & FileUse)
  | Statement
  | { readonly kind: 'rollback'; readonly on: ConnectionName }
  /** Runs a job of a module in a transaction of the writer, while nobody else uses that connection. */
  | { readonly kind: 'perform'; readonly job: string; readonly bytes: Uint8Array }
  | { readonly kind: 'copy'; readonly file: string; readonly to: string }
  | { readonly kind: 'close' };

export interface StatementResult {
  readonly rows: readonly unknown[];
  /** The number of rows that were written; absent for statements that answer rows. */
  readonly changes?: number;
}
