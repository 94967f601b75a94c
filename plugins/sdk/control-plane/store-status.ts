/** The status of the request log. */
export interface LogStatus {
  /** Whether the last write failed. */
  readonly isUnavailable: boolean;
  /** The number of records waiting to be written. */
  readonly waiting: number;
  /** The number of records dropped since the process started. */
  readonly dropped: number;
  /** The status of each log sink. Absent if there are none. */
  readonly sinks?: readonly SinkStatus[];
}

/** The status of a log sink. All counts are records since the process started, unless stated otherwise. */
export interface SinkStatus {
  /** The name of its entry in the gateway file. */
  readonly name: string;
  /** The id of the sink. */
  readonly sink: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Records dropped because the queue was full. */
  readonly dropped: number;
  /** Records that the receiver rejected. */
  readonly refused: number;
  /** Records that were given up because they were too old or because the gateway shut down. */
  readonly expired: number;
  /** The number of batches that were sent again. */
  readonly retries: number;
  /** Why the last attempt failed. Absent if it did not. */
  readonly failing?: string;
}

/** Returns the number of records that a sink will never deliver. */
export const lostRecords = ({ dropped, refused, expired }: SinkStatus): number => dropped + refused + expired;

/** The parts of what a gateway keeps outside of its processes. */
export const storeParts = ['store', 'writes', 'ledger', 'counters', 'log'] as const;

export type StorePart = (typeof storeParts)[number];

/** How a process keeps up with the store of its control plane. */
export interface StoreStatus {
  /** Whether the store did not answer when last queried. The process then serves what it knows. */
  readonly isUnavailable: boolean;
  /**
   * The versions that are served, by feed: `keys` for keys, workspaces and organisations, `plans` for everything that plans are
   * built from, `policies` for limits. -1 until the store has first answered.
   */
  readonly feeds: Readonly<Record<string, number>>;
  /** When the store last confirmed that everything is up to date, in milliseconds since the epoch; 0 if never. */
  readonly confirmedAt: number;
  /** Why the store could not be read when last queried, as a sentence. Absent if it could be. */
  readonly readFailure?: string | undefined;
  /** Why the store cannot be written, as a sentence. Absent if it can be, or if that is not known. */
  readonly writeFailure?: string | undefined;
  /** Why the ledger cannot be written, as a sentence. Absent if it can be. */
  readonly ledgerFailure?: string | undefined;
  /** The number of workspaces that this process has not read yet. It does not serve them while the store is unavailable. */
  readonly unread?: number;
  /** The number of prompts that it has not read yet, in the workspaces that it has read. */
  readonly unreadPrompts?: number;
  /** Whether the counters of limits cannot be queried; false if absent. */
  readonly countersUnavailable?: boolean;
  /** Absent if no log is kept. */
  readonly log?: LogStatus;
}
