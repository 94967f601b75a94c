import type { DeliveryCounts } from '../../plugins/sdk/delivery/delivery.ts';

/** The status of a receiver of alerts, for `/readyz` and metrics. All counts are of messages since the process started. */
export interface AlertStatus extends DeliveryCounts {
  readonly to: string;
  /** Why the last attempt failed. Absent if it did not. */
  readonly failing?: string;
}
