import type { AllowanceName, Allowances } from '../kernel/pools/allowances.ts';
import type { Failure } from '../kernel/store/asked-thread.ts';
import type { SharedQuestion } from '../kernel/store/sqlite/shared-question.ts';
import type { StatementResult } from '../kernel/store/sqlite/sqlite-thread.ts';
import type { HandedRecords } from '../logs/sinks/linked-sinks.ts';
import type { CountersQuestion } from '../metering/counters/remote-counters.ts';

/** The files of SQLite that the owner has open. */
export type OwnedFile = 'store' | 'log';

/** Whether something may be done once more, or that it need not be counted; answered with whether it may. */
export interface AllowanceQuestion {
  readonly of: 'allowances';
  readonly question: keyof Allowances;
  readonly name: AllowanceName;
  readonly key: string;
  readonly count: number;
}

/** A question of a worker to its owner. */
export type OwnerQuestion =
  | { readonly of: OwnedFile; readonly asked: SharedQuestion }
  /** Whether this worker is the one that deletes what is old, until it ends. */
  | { readonly of: 'lead' }
  /** Waits until the ledger of the counters is written, or until it was tried to. */
  | { readonly of: 'ledger'; readonly until: 'written' | 'tried' }
  /** Records for the sinks of the log; answered when these have them. */
  | { readonly of: 'sinks'; readonly handed: HandedRecords }
  | AllowanceQuestion
  | { readonly of: 'counters'; readonly question: CountersQuestion; readonly args: readonly string[] };

/** The answer about a file. */
export type FileAnswer = { readonly result: StatementResult | undefined } | { readonly failure: Failure };
