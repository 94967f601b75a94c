import type { ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { ControlLink } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { PlanSource } from '../../file-plans/plan-source.ts';
import type { Breakers } from '../../ports/breakers.ts';
import type { NamedItems } from '../../ports/named-items.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';

/** The parts of a gateway that its workers share. */
export interface SharedParts {
  /** Returns the folder of configs or plans, as all workers read it. */
  readonly source: (own: PlanSource) => PlanSource;
  readonly breakers: Breakers;
  /** The shared parts of the control plane. */
  readonly control: ControlLink;
  /** Prints a line that all workers print alike once. */
  readonly announce: (text: string) => void;
  /** Takes the inputs of alerts. */
  readonly alerts: (news: unknown) => void;
  /** Stores answers in memory. */
  readonly cache: ResponseCache;
  /** Stores vectors of questions in memory. */
  readonly vectors: Vectors;
  readonly rememberedItems: NamedItems;
  /** The key for the placeholders of redacted values. */
  readonly placeholderKey: string;
  /** The metrics of all workers. */
  readonly metrics: ReadMetrics;
}
