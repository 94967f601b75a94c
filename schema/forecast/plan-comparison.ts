import type { Facts } from '../plan/condition.ts';

/** A change in what a config does with some requests, in words. */
export interface ComparedChange {
  /** `route`: other calls. `settings`: the same calls with other settings. `state`: no change until targets are unavailable. */
  readonly kind: 'route' | 'settings' | 'state';
  /** `Requests where metadata.tier is "gold"`. */
  readonly requests: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The facts of such a request, if one was found. */
  readonly example?: Facts;
}

/** The change in behaviour from one plan to another, in words. */
export interface PlanComparison {
  /** Whether nothing has changed and everything was compared. */
  readonly same: boolean;
  /** Whether everything was compared. */
  readonly complete: boolean;
  /** As `gw diff` prints it. */
  readonly text: string;
  readonly changes: readonly ComparedChange[];
}
