import { canonicalJson } from '../../schema/json/canonical.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/**
 * Returns the text of `<name>.plan.json`: canonical JSON (RFC 8785) on one line, and a newline. The same plan gives the same
 * bytes on every machine.
 */
export const emitPlanJson = (plan: RoutingPlan): string => `${canonicalJson(plan)}\n`;
