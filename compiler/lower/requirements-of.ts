import type { Catalogue } from '../../plugins/sdk/catalogue.ts';
import type { PlanNode, PluginNeeds, Requirements, SecretRef, Stage, Target } from '../../schema/plan.ts';
import { targetFeatures } from '../../schema/target-settings.ts';
import { baseUrlOf } from '../ir/base-url-of.ts';
import { leavesOf } from '../meaning/leaves-of.ts';

const sorted = <Text extends string>(texts: Iterable<Text>): readonly Text[] => [...new Set(texts)].sort();

const providerOf = ({ from }: Target): readonly string[] =>
  from.kind === 'inline' || from.kind === 'saved' ? [from.provider] : [];

const secretsOf = ({ credential }: Target): readonly SecretRef[] =>
  credential?.kind === 'fields'
    ? Object.values(credential.fields).flatMap((secret) => (secret.kind === 'reference' ? [secret.ref] : []))
    : [];

const hostOf = (target: Target, { providers }: Catalogue): readonly string[] => {
  const base =
    target.upstream.kind === 'custom'
      ? target.upstream.baseUrl
      : providerOf(target).flatMap((id) => baseUrlOf(providers.get(id), target.settings).url ?? [])[0];
  if (base === undefined || !URL.canParse(base)) return [];
  const { hostname, port, protocol } = new URL(base);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
};

const checksOf = (stage: Stage): readonly string[] =>
  stage.kind === 'input-checks' || stage.kind === 'output-checks'
    ? stage.hooks.flatMap(({ checks }) => checks.map(({ check }) => check))
    : [];

/** The hashes of the plugins that do not come with the gateway. */
const integrityOf = (
  { providers: providerIds, checks: checkIds }: Pick<PluginNeeds, 'providers' | 'checks'>,
  { providers, checks, owners }: Catalogue,
): Pick<PluginNeeds, 'integrity'> => {
  const things = [...providerIds.map((id) => providers.get(id)), ...checkIds.map((id) => checks.get(id.toLowerCase()))];
  const found = things.flatMap((thing) => (thing === undefined ? [] : (owners?.get(thing) ?? [])));
  return found.length === 0
    ? {}
    : { integrity: Object.fromEntries(found.map(({ name, integrity }) => [name, integrity()])) };
};

/** All that must be there before the plan can be linked. */
export const requirementsOf = (root: PlanNode, targets: readonly Target[], catalogue: Catalogue): Requirements => {
  const stages = leavesOf(root).flatMap((leaf) => leaf.stages);
  const providers = sorted(targets.flatMap(providerOf));
  const checks = sorted(stages.flatMap(checksOf));
  return {
    features: sorted([...stages.map(({ kind }) => kind), ...targets.flatMap(targetFeatures)]),
    plugins: {
      providers,
      checks,
      caches: sorted(stages.flatMap((stage) => (stage.kind === 'cache' ? [stage.mode] : []))),
      ...integrityOf({ providers, checks }, catalogue),
    },
    secrets: sorted(targets.flatMap(secretsOf)),
    hosts: sorted(targets.flatMap((target) => hostOf(target, catalogue))),
  };
};
