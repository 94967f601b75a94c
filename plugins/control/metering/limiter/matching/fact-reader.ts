import { slugModel } from '../../../../../schema/config/slug-model.ts';
import { bareModel } from '../../../../sdk/models/named-models.ts';
import type { LimitFacts, TargetFacts } from './limit-facts.ts';

/** What a request has for a key of policies, in each of its spellings; the first is the one that counters are named by. */
export type FactReader = (facts: LimitFacts) => readonly string[];

const none: readonly string[] = [];
const listed = (value: string | undefined): readonly string[] => (value === undefined || value === '' ? none : [value]);

/** The requested model, without and with its collection, and how it is named together with the saved provider that serves it. */
const toModels = ({ model, slug }: TargetFacts): readonly string[] => {
  if (model === '') return none;
  const written = slugModel(model);
  const name = written?.model ?? model;
  const bare = bareModel(name);
  const names = bare === name ? [name] : [bare, name];
  const provider = slug ?? written?.slug;
  return provider === undefined ? names : [...names, ...names.map((each) => `@${provider}/${each}`)];
};

const toProviders = ({ provider, slug }: TargetFacts): readonly string[] =>
  slug === undefined ? [provider] : [provider, `@${slug}`];

/** The key after those whose limits it shares: what a key makes counts where its maker does. */
const toKeys: FactReader = ({ key, sharesLimitsOf }) =>
  key === undefined || sharesLimitsOf === undefined ? listed(key) : [...sharesLimitsOf, key];

const metadataReader =
  (name: string): FactReader =>
  ({ metadata }) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (typeof value === 'string') return [value];
    return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : none;
  };

const readers: ReadonlyMap<string, FactReader> = new Map<string, FactReader>([
  ['api_key', toKeys],
  ['virtual_key', ({ target }) => listed(target?.slug)],
  ['provider', ({ target }) => (target === undefined ? none : toProviders(target))],
  ['model', ({ target }) => (target === undefined ? none : toModels(target))],
  ['config', ({ config }) => listed(config)],
  ['prompt', ({ prompt }) => listed(prompt)],
  ['endpoint_type', (facts) => listed(facts.endpointType)],
  ['workspace_id', ({ workspace }) => listed(workspace)],
  ['organisation_id', ({ organisation }) => listed(organisation)],
]);

const metadataPrefix = 'metadata.';

/** Reads a key of conditions and of `group_by`; one that there is not has no value. */
export const factReader = (key: string): FactReader =>
  key.startsWith(metadataPrefix)
    ? metadataReader(key.slice(metadataPrefix.length))
    : (readers.get(key) ?? (() => none));

/** Keys whose values are known when a target is chosen; the prompt of a request may be its target's. */
const ofTargets: ReadonlySet<string> = new Set(['provider', 'model', 'virtual_key', 'prompt', 'metadata._prompt']);

/** Whether the value of a key belongs to a target, so that another one may be free of the limit. */
export const isOfTarget = (key: string): boolean => ofTargets.has(key);
