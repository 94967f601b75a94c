import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import type { RequestCounts } from './sources/error-rates.ts';
import type { GatewayHealth } from './sources/health.ts';
import type { TargetChange } from './sources/target-alerts.ts';

/** Everything that a worker has seen since its last report, for the process that judges it. */
export interface AlertNews {
  readonly reached: readonly LimitReached[];
  readonly targets: readonly TargetChange[];
  readonly counts: readonly RequestCounts[];
  readonly health: GatewayHealth;
  /** How many changes were dropped because there was no room. */
  readonly dropped: number;
}
