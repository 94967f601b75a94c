import type { Catalogue } from '../../plugins/sdk/catalogue.ts';
import type { PlanNode, Requirements, SecretRef, Stage, Target } from '../../schema/plan.ts';
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

/** All that must be there before the plan can be linked. */
export const requirementsOf = (root: PlanNode, targets: readonly Target[], catalogue: Catalogue): Requirements => {
  const stages = leavesOf(root).flatMap((leaf) => leaf.stages);
  return {
    features: sorted([...stages.map(({ kind }) => kind), ...targets.flatMap(targetFeatures)]),
    plugins: {
      providers: sorted(targets.flatMap(providerOf)),
      checks: sorted(stages.flatMap(checksOf)),
      caches: sorted(stages.flatMap((stage) => (stage.kind === 'cache' ? [stage.mode] : []))),
    },
    secrets: sorted(targets.flatMap(secretsOf)),
    hosts: sorted(targets.flatMap((target) => hostOf(target, catalogue))),
  };
};
