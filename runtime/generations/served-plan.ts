import { paramEdits } from '../link/attempt/param-edits.ts';
import type { LinkedPlan } from '../link/link.ts';

/** A linked plan as the server uses it. */
export interface ServedPlan {
  readonly linked: LinkedPlan;
  /** `name@hash` for `x-gw-plan`: the name percent-encoded, twelve digits of the hash. */
  readonly label: string;
  /** Whether a target applies overrides to bodies, including passed-through ones. */
  readonly editsParams: boolean;
  /** The literal secrets that came with a caller's config, by slot. */
  readonly secrets: readonly string[];
}

const longestName = 120;

const planLabel = ({ name, hash }: { readonly name: string; readonly hash: string }): string =>
  `${encodeURIComponent(name.toWellFormed()).slice(0, longestName)}@${hash.slice('sha256:'.length, 'sha256:'.length + 12)}`;

export const toServedPlan = (linked: LinkedPlan, secrets: readonly string[] = []): ServedPlan => ({
  linked,
  label: planLabel(linked.plan),
  editsParams: linked.plan.targets.some((target) => paramEdits(target) !== undefined),
  secrets,
});
