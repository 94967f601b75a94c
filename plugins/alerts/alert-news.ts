import type { LimitReached } from '../sdk/hooks/limit-reached.ts';
import type { RequestCounts } from './sources/error-rates.ts';
import type { GatewayHealth } from './sources/health.ts';
import type { TargetChange } from './sources/target-alerts.ts';

/** All that a worker has seen since it last sent any, for the process that judges it. */
export interface AlertNews {
  readonly reached: readonly LimitReached[];
  readonly targets: readonly TargetChange[];
  readonly counts: readonly RequestCounts[];
  readonly health: GatewayHealth;
  /** How many of them there was no room for. */
  readonly dropped: number;
}
