/** How a receiver of alerts does, in `/readyz` and in metrics. All counts are of messages since the process started. */
export interface AlertStatus {
  readonly to: string;
  readonly waiting: number;
  readonly delivered: number;
  /** Of those that there was no room for. */
  readonly dropped: number;
  /** Of those that the receiver will not take. */
  readonly refused: number;
  /** Of those that were given up because they were too old, or because the gateway ended. */
  readonly expired: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Why the last attempt failed; absent where it did not. */
  readonly failing?: string;
}
