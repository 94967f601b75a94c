import type { ServingPlan } from '../../plugins/sdk/exchange.ts';
import { paramEdits } from '../link/attempt/param-edits.ts';
import type { LinkedPlan } from '../link/link.ts';

/** A linked plan as the server uses it. */
export interface ServedPlan extends ServingPlan {
  readonly linked: LinkedPlan;
  /** Whether a target applies overrides to bodies, including passed-through ones. */
  readonly editsParams: boolean;
  /** The literal secrets that came with a caller's config, by slot. */
  readonly secrets: readonly string[];
}

const longestName = 120;

/** `name@hash` for `x-gw-plan`: the name percent-encoded, twelve digits of the hash. */
const planLabel = ({ name, hash }: { readonly name: string; readonly hash: string }): string =>
  `${encodeURIComponent(name.toWellFormed()).slice(0, longestName)}@${hash.slice('sha256:'.length, 'sha256:'.length + 12)}`;

export const toServedPlan = (linked: LinkedPlan, secrets: readonly string[] = []): ServedPlan => ({
  linked,
  routing: linked.plan,
  label: planLabel(linked.plan),
  editsParams: linked.plan.targets.some((target) => paramEdits(target) !== undefined),
  secrets,
});

/** A plan that came with a request. */
export const toCallersPlan = (linked: LinkedPlan, secrets?: readonly string[]): ServedPlan => ({
  ...toServedPlan(linked, secrets),
  isCallers: true,
});
