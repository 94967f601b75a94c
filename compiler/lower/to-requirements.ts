import { type Catalogue, findCheck } from '../../plugins/sdk/plugin/catalogue.ts';
import { readBaseUrl } from '../../plugins/sdk/provider/read-base-url.ts';
import { conditionFeatures } from '../../schema/plan/condition-features.ts';
import { listNodes } from '../../schema/plan/list-branches.ts';
import { listCalledLeaves, listMirrors } from '../../schema/plan/list-leaves.ts';
import {
  balanceFeatures,
  credentialFeatures,
  credentialSecrets,
  type FallbackNode,
  fallbackFeatures,
  type LoadbalanceNode,
  mirrorFeature,
  type PlanNode,
  type PluginNeeds,
  type Requirements,
  type RoutingPlan,
  requireFeature,
  type SecretRef,
  secretRefs,
  stageFeatures,
  type Target,
} from '../../schema/plan/plan.ts';
import { boundFeatures, type RequestBounds } from '../../schema/plan/request-bounds.ts';
import { listChecks } from '../../schema/plan/stages.ts';
import { targetProvider } from '../../schema/plan/target-model.ts';
import { targetFeatures, tlsReferences } from '../../schema/plan/target-settings.ts';

const sorted = <Text extends string>(texts: Iterable<Text>): readonly Text[] => [...new Set(texts)].sort();

/** The schema of the gateway file has checked that they are references. */
const toTlsRefs = ({ tls = {} }: Target): readonly SecretRef[] =>
  tlsReferences.flatMap((name) => (tls[name] as SecretRef | undefined) ?? []);

const findBaseUrl = (target: Target, { providers }: Catalogue): string | undefined =>
  target.upstream.kind === 'custom'
    ? target.upstream.baseUrl
    : readBaseUrl(providers.get(targetProvider(target) ?? ''), target.settings).url;

const toHost = (base: string): readonly string[] => {
  if (!URL.canParse(base)) return [];
  const { hostname, port, protocol } = new URL(base);
  return [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
};

/** Returns the hashes of the plugins that do not come with the gateway. */
const toIntegrity = (
  needs: Required<Pick<PluginNeeds, 'providers' | 'checks' | 'caches' | 'choosers'>>,
  { providers, checks, caches, choosers, owners }: Catalogue,
): Pick<PluginNeeds, 'integrity'> => {
  const things = [
    ...needs.providers.map((id) => providers.get(id)),
    ...needs.checks.map((id) => findCheck({ checks }, id)),
    ...needs.caches.map((mode) => caches.get(mode)),
    ...needs.choosers.map((id) => choosers.get(id)),
  ];
  const found = things.flatMap((thing) => (thing === undefined ? [] : (owners?.get(thing) ?? [])));
  return found.length === 0
    ? {}
    : { integrity: Object.fromEntries(found.map(({ name, integrity }) => [name, integrity()])) };
};

const abilityFeatures = ({ require }: FallbackNode | LoadbalanceNode): readonly string[] =>
  require === undefined ? [] : [requireFeature];

/** Returns the plan features that a node itself requires. Those of stages and targets are counted separately. */
const nodeFeatures = (node: PlanNode): readonly string[] => {
  switch (node.kind) {
    case 'leaf':
      return [];
    case 'conditional':
      return node.cases.flatMap(({ when }) => conditionFeatures(when));
    case 'fallback':
      return [...fallbackFeatures(node), ...abilityFeatures(node)];
    case 'loadbalance':
      return [...balanceFeatures(node), ...abilityFeatures(node)];
  }
};

/** Returns everything that must be present before the plan can be linked. */
export const toRequirements = (
  { root, targets, ...bounds }: Pick<RoutingPlan, 'root' | 'targets' | keyof RequestBounds>,
  catalogue: Catalogue,
): Requirements => {
  const stages = listCalledLeaves(root).flatMap((leaf) => leaf.stages);
  const calls = stages.flatMap(listChecks);
  const providers = sorted(targets.flatMap((target) => targetProvider(target) ?? []));
  const checks = sorted(calls.map(({ check }) => check));
  const nodes = listNodes(root);
  const choosers = sorted(nodes.flatMap((node) => (node.kind === 'loadbalance' ? (node.balance ?? []) : [])));
  const caches = sorted(stages.flatMap((stage) => (stage.kind === 'cache' ? [stage.mode] : [])));
  return {
    features: sorted([
      ...stages.map(({ kind }) => kind),
      ...stages.flatMap(stageFeatures),
      ...targets.flatMap(targetFeatures),
      ...targets.flatMap(credentialFeatures),
      ...nodes.flatMap(nodeFeatures),
      ...listMirrors(root).map(() => mirrorFeature),
      ...boundFeatures(bounds),
    ]),
    plugins: {
      providers,
      checks,
      caches,
      ...(choosers.length === 0 ? {} : { choosers }),
      ...toIntegrity({ providers, checks, caches, choosers }, catalogue),
    },
    secrets: sorted([
      ...targets.flatMap(({ credential }) => secretRefs(credentialSecrets(credential))),
      ...targets.flatMap(toTlsRefs),
      ...calls.flatMap(({ secrets = {} }) => secretRefs(Object.values(secrets))),
    ]),
    hosts: sorted(targets.flatMap((target) => toHost(findBaseUrl(target, catalogue) ?? ''))),
  };
};
