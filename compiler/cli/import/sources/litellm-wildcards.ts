import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, gatewayFile } from '../draft/draft.ts';
import { findModelKind } from '../draft/model-kind.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { type Callable, credentialOf } from './litellm-credentials.ts';
import { loseUnreadSaved } from './litellm-losses.ts';
import { type Deployment, findModel, findVariables, placeOf, type TargetContext } from './litellm-target.ts';

/** A deployment that is called for any model: those with a prefix, or all for which the file has no other entry. */
export interface Wildcard {
  /** The name with the star. */
  readonly name: string;
  /** The name before the star and its slash; undefined if the star is alone. */
  readonly prefix: string | undefined;
  /** The parameters of the entry. Those that a saved provider cannot have are noted. */
  readonly params: SourceObject;
  readonly provider: Provider;
  readonly credential: JsonObject;
  readonly place: JsonObject;
  readonly pointer: JsonPointer;
  readonly weight: number;
}

/** Returns the provider that is called for any model; undefined if an entry is for one model or for some. */
const anyModelOf = (source: SourceObject, name: string, { providers }: TargetContext): Callable | undefined => {
  if ((name !== '*' && !/^[^*/]+\/\*$/.test(name)) || findVariables(source).length > 0) return undefined;
  const stated = source.text('model') ?? '';
  const found = findModel(stated === '*' ? name : stated, source.text('custom_llm_provider'), providers);
  const provider = found?.model === '*' ? providers.get(found.provider) : undefined;
  return provider === undefined ? undefined : { provider, service: found?.service };
};

/** Reads an entry of `model_list` whose name has a star; undefined if it does not stand for a whole provider. */
export const toWildcard = (
  source: SourceObject,
  { name, pointer }: Pick<Wildcard, 'name' | 'pointer'>,
  context: TargetContext,
): Omit<Wildcard, 'weight'> | undefined => {
  const found = anyModelOf(source, name, context);
  if (found === undefined) return undefined;
  const { provider, service } = found;
  const credential = credentialOf(found, source, context.draft);
  const place = placeOf({ provider: provider.id, model: '*', service }, source);
  const prefix = name === '*' ? undefined : name.slice(0, -2);
  return { name, prefix, params: source, provider, credential, place, pointer };
};

/** A saved provider of wildcards, through which clients reach its models. */
export interface SavedWildcard extends Wildcard {
  readonly slug: string;
}

const placeText = ({ provider, place }: Wildcard): string => JSON.stringify([provider.id, place]);

const onlyKey = ({ credential }: Wildcard): string | undefined => {
  const { api_key: key, ...others } = credential;
  return typeof key === 'string' && Object.keys(others).length === 0 ? key : undefined;
};

/** Returns the credential of one deployment, or the keys of several at one place. */
const secretsOf = (first: Wildcard, same: readonly Wildcard[]): JsonObject => {
  const keys = same.flatMap((each) => {
    const key = onlyKey(each);
    return key === undefined ? [] : [{ api_key: key, weight: each.weight }];
  });
  if (keys.length > 1) return { keys };
  return Object.keys(first.credential).length === 0 ? {} : { credential: first.credential };
};

/** Saves the provider of the deployments with one name. A second place, or a second account of a cloud, is a loss. */
const saveOne = (draft: Draft, [first, ...others]: readonly [Wildcard, ...Wildcard[]]): SavedWildcard => {
  const { name, prefix, provider, place } = first;
  const isSame = (other: Wildcard): boolean =>
    placeText(other) === placeText(first) && onlyKey(other) !== undefined && onlyKey(first) !== undefined;
  const same = others.filter(isSame);
  const secrets = secretsOf(first, [first, ...same]);
  for (const { pointer } of others.filter((other) => !isSame(other)))
    draft.lose(
      pointer,
      `"${name}" is one saved provider here, but this is another region or account of it.`,
      'Write a load balance of both in a config, and save it under "models" by each name of a model.',
    );
  const settings = Object.keys(place).length === 0 ? {} : { settings: place };
  draft.hasReachableProvider = true;
  const slug = draft.save('providers', prefix ?? provider.id, { provider: provider.id, ...secrets, ...settings });
  draft.recordOrigin(gatewayFile, toPointer(['providers', slug]), first.pointer);
  loseUnreadSaved(draft, [first.params, ...same.map(({ params }) => params)], { provider: `@${slug}` });
  return { ...first, slug };
};

/** Saves the providers of all wildcards, each name once, and notes where clients have to write another name. */
export const saveWildcards = (
  wildcards: readonly Wildcard[],
  { draft, providers }: TargetContext,
): readonly SavedWildcard[] =>
  [...new Set(wildcards.map(({ name }) => name))].flatMap((name) => {
    const [first, ...others] = wildcards.filter((each) => each.name === name);
    if (first === undefined) return [];
    const saved = saveOne(draft, [first, ...others]);
    const { prefix, provider, slug, pointer } = saved;
    if (prefix !== undefined && (slug !== prefix || providers.get(prefix)?.id !== provider.id))
      draft.lose(
        pointer,
        `A model finds a saved provider by the name that its provider has here, but "${name}" has another one.`,
        `Clients write "@${slug}/MODEL" for "${prefix}/MODEL".`,
      );
    return [saved];
  });

/** Returns the deployment of one model that a wildcard stands for; undefined if there is none. */
export const deploymentOf = (model: string, wildcards: readonly SavedWildcard[]): Deployment | undefined => {
  const found = wildcards.find(({ prefix }) => prefix !== undefined && model.startsWith(`${prefix}/`));
  if (found?.prefix === undefined || model.includes('*')) return undefined;
  const target = { provider: `@${found.slug}`, override_params: { model: model.slice(found.prefix.length + 1) } };
  const kind = findModelKind(model, undefined);
  return { target, pointer: found.pointer, weight: 1, order: 1, kind };
};
