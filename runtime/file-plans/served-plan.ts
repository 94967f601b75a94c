import type { ServingPlan } from '../../plugins/sdk/exchange/exchange.ts';
import type { SecretOwner } from '../../schema/config/trust.ts';
import { planLabel } from '../../schema/plan/hash-plan.ts';
import { paramEdits } from '../engine/call/param-edits.ts';
import type { LinkedPlan } from '../engine/link.ts';

/** A linked plan as the server uses it. */
export interface ServedPlan extends ServingPlan {
  readonly linked: LinkedPlan;
  /** Whether a target applies overrides to bodies, including passed-through ones. */
  readonly editsParams: boolean;
  /** Whether a target does not allow all models, so that the models of passed-through requests are read. */
  readonly listsModels: boolean;
  /** The owner of the text that it was compiled from. */
  readonly origin: SecretOwner;
  /** The literal secrets of that text, by slot. */
  readonly secrets: readonly string[];
}

/** The origin of a plan, with the literal secrets stored beside it. */
export type PlanText = Pick<ServedPlan, 'origin' | 'secrets'>;

export const toServedPlan = (linked: LinkedPlan, { origin, secrets }: PlanText): ServedPlan => ({
  linked,
  routing: linked.plan,
  label: planLabel(linked.plan),
  editsParams: linked.plan.targets.some((target) => paramEdits(target) !== undefined),
  origin,
  listsModels: linked.plan.targets.some(({ allowedModels }) => allowedModels !== undefined),
  secrets,
  ...(origin === 'caller' ? { isCallers: true } : {}),
});
