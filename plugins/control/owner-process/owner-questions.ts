import type { AllowanceName, Allowances } from '../kernel/fairness/allowances.ts';
import type { SharedQuestion } from '../kernel/store/sqlite/shared-question.ts';
import type { StatementResult } from '../kernel/store/sqlite/sqlite-thread.ts';
import type { Failure } from '../kernel/store/thread-failure.ts';
import type { HandedRecords } from '../logs/sinks/linked-sinks.ts';
import type { CountersQuestion } from '../metering/counters/remote-counters.ts';

/** The SQLite files that the owner has open. */
export type OwnedFile = 'store' | 'log';

/** Asks whether something may be done once more, or reports that it need not be counted. The answer is whether it may be done. */
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
  /** Asks whether this worker is the one that deletes expired data, until it ends. */
  | { readonly of: 'lead' }
  /** Waits until the ledger of the counters is written, or until writing was tried. */
  | { readonly of: 'ledger'; readonly until: 'written' | 'tried' }
  /** Hands over records for the sinks of the log. The answer comes when the sinks have them. */
  | { readonly of: 'sinks'; readonly handed: HandedRecords }
  | AllowanceQuestion
  | { readonly of: 'counters'; readonly question: CountersQuestion; readonly args: readonly string[] };

/** The answer about a file. */
export type FileAnswer = { readonly result: StatementResult | undefined } | { readonly failure: Failure };
