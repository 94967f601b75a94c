/** How the log of requests does. */
export interface LogStatus {
  /** Whether it could not be written when that was last tried. */
  readonly isUnavailable: boolean;
  /** Records that wait to be written. */
  readonly waiting: number;
  /** Records that were dropped since the process started. */
  readonly dropped: number;
  /** How the receivers of its records do; absent where there are none. */
  readonly sinks?: readonly SinkStatus[];
}

/** How a receiver of the log does. All counts are of records since the process started. */
export interface SinkStatus {
  /** Of its entry in the gateway file. */
  readonly name: string;
  /** The id of the sink. */
  readonly sink: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Of those that there was no room for. */
  readonly dropped: number;
  /** Of those that the receiver will not take. */
  readonly refused: number;
  /** Of those that were given up because they were too old, or because the gateway ended. */
  readonly expired: number;
  /** Batches that were sent again. */
  readonly retries: number;
  /** Why the last attempt failed; absent where it did not. */
  readonly failing?: string;
}

/** Counts the records that a receiver of the log will never have. */
export const lostRecords = ({ dropped, refused, expired }: SinkStatus): number => dropped + refused + expired;

/** How a process follows the store of its control plane. */
export interface StoreStatus {
  /** Whether the store did not answer when it was last asked: what is known of it is served. */
  readonly isUnavailable: boolean;
  /**
   * The versions of what is served, by the feed that counts its changes: `keys` for keys, workspaces and organisations,
   * `plans` for all that plans are made of, `policies` for limits. -1 before the store has first answered.
   */
  readonly feeds: Readonly<Record<string, number>>;
  /** When the store last said that all of it is right, in milliseconds since the epoch; 0 if it never did. */
  readonly confirmedAt: number;
  /** Why it cannot be written, as a sentence; absent where it can, or where nothing is known. */
  readonly writeFailure?: string | undefined;
  /** Workspaces that this process has not read yet: while the store is unavailable, it does not serve them. */
  readonly unread?: number;
  /** Prompts of the workspaces that it has read, which it has not read yet. */
  readonly unreadPrompts?: number;
  /** Whether the counters of limits cannot be asked; false if absent. */
  readonly countersUnavailable?: boolean;
  /** Absent where no log is kept. */
  readonly log?: LogStatus;
}
