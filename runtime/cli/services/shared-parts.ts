import type { ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { ControlLink } from '../../../plugins/sdk/control-plane/control-link.ts';
import type { PlanSource } from '../../plan-generations/plan-source.ts';
import type { Breakers } from '../../ports/breakers.ts';
import type { NamedItems } from '../../ports/named-items.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';

/** The parts of a gateway that its workers have in common. */
export interface SharedParts {
  /** The folder of configs or plans, as all of them read it. */
  readonly source: (own: PlanSource) => PlanSource;
  readonly breakers: Breakers;
  /** The parts of the control plane that all of them have in common. */
  readonly control: ControlLink;
  /** Takes what alerts are made of. */
  readonly alerts: (news: unknown) => void;
  /** Where answers are kept in memory. */
  readonly cache: ResponseCache;
  /** Where vectors of questions are kept in memory. */
  readonly vectors: Vectors;
  readonly rememberedItems: NamedItems;
  /** The key of the placeholders that stand for redacted values. */
  readonly placeholderKey: string;
  /** The metrics of all of them. */
  readonly metrics: ReadMetrics;
}
