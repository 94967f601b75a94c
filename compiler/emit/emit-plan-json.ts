import { canonicalJson } from '../../schema/json/canonical.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/**
 * The text of `<name>.plan.json`: canonical JSON (RFC 8785) on one line, and a newline. The same plan is the same
 * bytes on every machine.
 */
export const emitPlanJson = (plan: RoutingPlan): string => `${canonicalJson(plan)}\n`;
