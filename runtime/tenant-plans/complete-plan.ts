import { hashLeaf, hashPlan } from '../../schema/plan/hash-plan.ts';
import type { LeafNode, Needs, Requirements, RoutingPlan, Target } from '../../schema/plan/plan.ts';

/** Returns the only leaf of a plan without a provider, with its target. */
export const openLeaf = ({
  root,
  targets,
}: RoutingPlan): { readonly leaf: LeafNode; readonly target: Target } | undefined => {
  const target = root.kind === 'leaf' ? targets[root.target] : undefined;
  return root.kind === 'leaf' && target?.from.kind === 'request' ? { leaf: root, target } : undefined;
};

/** Whether a plan has no provider and takes it from the request. */
export const leavesProviderOpen = (plan: RoutingPlan): boolean => openLeaf(plan) !== undefined;

const union = <Text extends string>(...lists: readonly (readonly Text[])[]): readonly Text[] =>
  [...new Set(lists.flat())].sort();

const requirements = (own: Requirements, given: Requirements): Requirements => ({
  features: own.features,
  plugins: { ...own.plugins, providers: union(own.plugins.providers, given.plugins.providers) },
  secrets: union(own.secrets, given.secrets),
  hosts: union(own.hosts, given.hosts),
});

const withModel = (needs: Needs): Needs => ({
  ...needs,
  request: 'edit',
  because: [{ body: 'request', setting: 'model' }, ...needs.because],
});

/**
 * Completes a plan without a provider with that of `giver`, the plan of a config that names only a provider. The plan's own host
 * and settings are kept. Other plans are returned unchanged.
 */
export const completePlan = (plan: RoutingPlan, giver: RoutingPlan): RoutingPlan => {
  const open = openLeaf(plan);
  const [given] = giver.targets;
  if (open === undefined || given === undefined) return plan;
  const { from, credential, model, settings, upstream, allowedModels, prices, tls } = given;
  const target: Target = {
    ...open.target,
    from,
    ...(model === undefined ? {} : { model }),
    ...(allowedModels === undefined ? {} : { allowedModels }),
    ...(prices === undefined ? {} : { prices }),
    ...(tls === undefined ? {} : { tls }),
    credential,
    settings: { ...settings, ...open.target.settings },
    upstream: open.target.upstream.kind === 'custom' ? open.target.upstream : upstream,
  };
  const { stages, needs } = open.leaf;
  const content = {
    ...plan,
    requires: requirements(plan.requires, giver.requires),
    targets: plan.targets.map((each) => (each === open.target ? target : each)),
    root: {
      ...open.leaf,
      hash: hashLeaf(target, stages),
      needs: model === undefined ? needs : withModel(needs),
    },
  };
  return { ...content, hash: hashPlan(content) };
};
