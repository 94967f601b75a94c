import type { JsonObject } from '../../../schema/json/json.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';
import { readDrop } from './read-drop.ts';

/** Whether the provider changes all bodies that clients wrote in this dialect. */
export const adaptsOwn = (
  provider: Pick<Provider, 'adaptsOwn' | 'embeddings'>,
  { id, inForm }: Pick<Dialect, 'id' | 'inForm'>,
): boolean => provider.adaptsOwn?.includes(id) === true || (inForm !== undefined && provider.embeddings !== undefined);

/** Whether the provider changes bodies that clients wrote in this dialect, either all of them or those with a mark. */
export const adaptsSome = (provider: Provider, dialect: Dialect): boolean =>
  adaptsOwn(provider, dialect) || provider.adaptsMarked?.[dialect.id] !== undefined;

export interface OwnForm {
  readonly body: JsonObject;
  /** The parameters that were dropped. */
  readonly lost: readonly string[];
}

const formOf = (body: JsonObject, { embeddings }: Provider, { inForm }: Dialect): OwnForm =>
  embeddings === undefined || inForm === undefined ? { body, lost: [] } : inForm(body, embeddings);

/**
 * Returns a body in the form in which the provider accepts its dialect: unchanged, unless the provider has a variant of its own.
 */
export const ownForm = (
  body: JsonObject,
  { provider, settings, dialect }: { provider: Provider; settings: JsonObject; dialect: Dialect },
): OwnForm => {
  if (!adaptsSome(provider, dialect)) return { body, lost: [] };
  const formed = formOf(body, provider, dialect);
  const adapted = provider.adapt?.(formed.body, dialect.id, settings) ?? formed.body;
  if (!adaptsOwn(provider, dialect)) return { body: adapted, lost: [] };
  const lost = readDrop(provider, settings, dialect.id).filter(
    (name) => adapted[name] !== undefined && adapted[name] !== null,
  );
  return {
    body: Object.fromEntries(Object.entries(adapted).filter(([name]) => !lost.includes(name))),
    lost: [...formed.lost, ...lost],
  };
};
