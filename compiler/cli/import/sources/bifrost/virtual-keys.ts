import type { JsonObject } from '../../../../../schema/json/json.ts';
import { rootPointer } from '../../../../../schema/json/pointer.ts';
import { type Draft, toSlug } from '../../draft/draft.ts';
import { type Sourced, SourceObject } from '../../draft/read-source.ts';
import { isFor, type KeyedProvider, listedModels, toNode } from './provider-keys.ts';

/** The page that explains how commands reach a store. */
export const withStore =
  'docs/recipes/keep-keys-and-configs-in-a-store.md sets GW_URL and GW_API_KEY for these commands.';

/** A provider that a virtual key may call. */
interface Allowed {
  readonly name: string;
  readonly provider: KeyedProvider;
  readonly weight: number;
  /** The only models that it is called with; undefined for all. */
  readonly models: readonly string[] | undefined;
}

/** Providers that may be called for some models, or for any model if absent. */
interface Part {
  readonly models?: readonly string[];
  readonly allowed: readonly Allowed[];
}

/** Models that use the same keys of the same providers. */
type Branch = Required<Part>;

const pattern = /^regex:/i;

/** Reads the models that are allowed by name. Notes patterns, and lists that another version interprets differently. */
const readModels = (source: SourceObject, draft: Draft): readonly string[] | undefined => {
  const stated = source.peek('allowed_models');
  const models = listedModels(source, 'allowed_models');
  if (Array.isArray(stated) && stated.length === 0)
    draft.lose(
      source.at('allowed_models'),
      'An empty "allowed_models" allows no model since version 1.5, and before that all models of the provider, as here.',
      'If it should allow none, remove the target from the config.',
    );
  const patterns = models?.filter((model) => pattern.test(model)) ?? [];
  if (patterns.length > 0)
    draft.lose(
      source.at('allowed_models'),
      `"allowed_models" has patterns, which were not imported: ${patterns.join(', ')}.`,
      'Write a condition with "$regex" into the config: docs/reference/config/conditions.md.',
    );
  return models?.filter((model) => !pattern.test(model));
};

/** Notes a provider that a virtual key may call but that is not a config. */
const loseAllowed = (draft: Draft, source: SourceObject, name: string): void => {
  draft.leftOut.push(source.pointer);
  draft.lose(
    source.at('provider'),
    name === '' ? 'It names no provider.' : `"${name}" is not a provider that was imported from this file.`,
    'Add a target for it to the config of this virtual key.',
  );
};

const readAllowed = (
  item: Sourced,
  draft: Draft,
  providers: ReadonlyMap<string, KeyedProvider>,
): readonly Allowed[] => {
  const source = new SourceObject(item);
  const name = source.text('provider') ?? '';
  const provider = providers.get(name);
  const weight = source.number('weight') ?? 1;
  const models = readModels(source, draft);
  for (const member of source.unread())
    draft.lose(
      source.at(member),
      `"${member}" of a virtual key has no counterpart in a config.`,
      'Limits belong to keys and policies in a store.',
    );
  if (provider !== undefined) return [{ name: toSlug(name), provider, weight, models }];
  loseAllowed(draft, source, name);
  return [];
};

const allows =
  (model: string) =>
  ({ models }: Allowed): boolean =>
    models === undefined || models.includes(model);

/**
 * Returns the listed models, each with the providers that may be called for it. Models with the same providers and keys are
 * grouped.
 */
const toBranches = (all: readonly Allowed[]): readonly Branch[] => {
  const models = [...new Set(all.flatMap(({ models: listed = [] }) => listed))];
  const bySame = Map.groupBy(models, (model) =>
    JSON.stringify(all.map((each) => [allows(model)(each), each.provider.keys.map(isFor(model))])),
  );
  return [...bySame.values()].map((same) => ({ models: same, allowed: all.filter(allows(same[0] ?? '')) }));
};

/** Returns one provider, or a weighted load balance of several. */
const toPart = ({ allowed, models = [] }: Part, prefix = ''): JsonObject => {
  const [only, second] = allowed;
  if (only !== undefined && second === undefined)
    return toNode(only.provider, { prefix: prefix === '' ? `${only.name}-` : prefix, models }).node;
  return {
    strategy: { mode: 'loadbalance' },
    targets: allowed.map(({ name, provider, weight }) => ({
      ...toNode(provider, { prefix: `${prefix}${name}-`, models }).node,
      name: `${prefix}${name}`,
      weight,
    })),
  };
};

/** Gives the parts distinct names. */
const nameParts = (parts: readonly Part[]): ReadonlyMap<Part, string> => {
  const names = parts.map(({ allowed }) => allowed.map(({ name }) => name).join('-or-'));
  return new Map(
    parts.map((part, index) => {
      const [name = ''] = names.slice(index);
      const before = names.slice(0, index).filter((each) => each === name).length;
      return [part, before === 0 ? name : `${name}-${before + 1}`] as const;
    }),
  );
};

const isOneOf = (models: readonly string[]): JsonObject => {
  const [only, second] = models;
  return { 'params.model': only !== undefined && second === undefined ? only : { $in: [...models] } };
};

/** Rejects all other models, which would otherwise go to the last branch. */
const refuseOthers = (branches: readonly Branch[]): JsonObject => ({
  input_guardrails: [{ 'default.modelWhitelist': { models: branches.flatMap(({ models }) => models) }, deny: true }],
});

/**
 * Builds the config of a virtual key. Each listed model goes to the providers that may be called for it, and a model in no list
 * to the providers without a list.
 */
const toConfig = (all: readonly Allowed[]): JsonObject => {
  const open = all.filter(({ models }) => models === undefined);
  const branches = toBranches(all);
  const end = open.length > 0 ? { allowed: open } : branches.at(-1);
  if (end === undefined) return toPart({ allowed: all });
  const closed = open.length > 0 ? {} : refuseOthers(branches);
  const chosen = open.length > 0 ? branches : branches.slice(0, -1);
  if (chosen.length === 0) return { ...closed, ...toPart(end) };
  const names = nameParts([...chosen, end]);
  const nameOf = (part: Part): string => names.get(part) ?? '';
  return {
    ...closed,
    strategy: {
      mode: 'conditional',
      conditions: chosen.map((branch) => ({ query: isOneOf(branch.models), then: nameOf(branch) })),
      default: nameOf(end),
    },
    targets: [...names].map(([part, name]) => ({ ...toPart(part, `${name}-`), name })),
  };
};

/** Reads the virtual keys with providers, each as a config with its name. */
export const readVirtualKeys = (
  source: SourceObject,
  draft: Draft,
  providers: ReadonlyMap<string, KeyedProvider>,
): void => {
  for (const item of source.list('virtual_keys')) {
    const key = new SourceObject(item);
    const name = key.text('name') ?? key.text('id') ?? 'virtual-key';
    key.get('id');
    key.get('description');
    if (key.get('is_active') === false)
      draft.lose(
        key.at('is_active'),
        `The virtual key "${name}" is not active, but its config can be called.`,
        'Remove the config if nobody should use it.',
      );
    const stated = key.list('provider_configs');
    const allowed = stated.flatMap((each) => readAllowed(each, draft, providers));
    for (const member of key.unread())
      draft.lose(
        key.at(member),
        `"${member}" of a virtual key has no counterpart in a config.`,
        `Create a service key, and a policy for its limits, in a store: gw keys create, gw policies usage create. ${withStore}`,
      );
    if (allowed.length === 0) {
      if (stated.length > 0) draft.lostConfigs.push(name);
      continue;
    }
    const config = draft.configName(name);
    draft.configs.set(config, toConfig(allowed));
    draft.recordOrigin(config, rootPointer, item.pointer);
  }
};
