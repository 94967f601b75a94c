/** The status of a receiver of alerts, for `/readyz` and metrics. All counts are of messages since the process started. */
export interface AlertStatus {
  readonly to: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Messages for which there was no room. */
  readonly dropped: number;
  /** Messages that the receiver refuses. */
  readonly refused: number;
  /** Messages that were abandoned because they were too old, or because the gateway ended. */
  readonly expired: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Why the last attempt failed. Absent if it did not. */
  readonly failing?: string;
}
