import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { CacheDefinition } from '../cache/cache.ts';
import type { Dialect, LazyDialect } from '../dialect/dialect.ts';
import { type Guardrail, guardrailNames } from '../guardrail/guardrail.ts';
import type { Provider } from '../provider/provider.ts';
import type { Plugin } from './plugin.ts';
import { withWholeDialects } from './whole-plugins.ts';

/** Everything that the loaded plugins provide, by name; the compiler checks configs against it. */
export interface Catalogue {
  /** By id and by alias. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** Without the lazy ones, which `loadCatalogue` adds. */
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** By id and by alias, in lower case: configs may spell checks in any case. */
  readonly checks: ReadonlyMap<string, Guardrail>;
  /** By mode. */
  readonly caches: ReadonlyMap<string, CacheDefinition>;
  /** The plugins whose files have a hash, by what they provide; those that come with the gateway have none. */
  readonly owners?: ReadonlyMap<Provider | Guardrail | CacheDefinition, PluginIdentity>;
}

/** A plugin as plans name it. */
export interface PluginIdentity {
  readonly name: string;
  readonly integrity: () => ContentHash;
}

const add = <Thing>(things: Map<string, Thing>, name: string, thing: Thing, what: string): void => {
  if (things.has(name)) throw new Error(`Two plugins provide the ${what} "${name}".`);
  things.set(name, thing);
};

const toOwners = (plugins: readonly Plugin[]): NonNullable<Catalogue['owners']> =>
  new Map(
    plugins.flatMap(({ name, integrity, providers = [], guardrails = [], caches = [] }) =>
      integrity === undefined
        ? []
        : [...providers, ...guardrails, ...caches].map((thing) => [thing, { name, integrity }] as const),
    ),
  );

/** Throws an `Error` if two plugins provide the same name. */
export const buildCatalogue = (plugins: readonly Plugin[]): Catalogue => {
  const providers = new Map<string, Provider>();
  const declared = new Map<string, Dialect | LazyDialect>();
  const checks = new Map<string, Guardrail>();
  const caches = new Map<string, CacheDefinition>();
  for (const plugin of plugins) {
    for (const provider of plugin.providers ?? [])
      for (const name of [provider.id, ...(provider.aliases ?? [])]) add(providers, name, provider, 'provider');
    for (const dialect of plugin.dialects ?? []) add(declared, dialect.id, dialect, 'dialect');
    for (const cache of plugin.caches ?? []) add(caches, cache.mode, cache, 'cache mode');
    for (const check of plugin.guardrails ?? [])
      for (const name of guardrailNames(check)) add(checks, name, check, 'check');
  }
  const dialects = new Map<string, Dialect>();
  for (const [id, dialect] of declared) if (!('load' in dialect)) dialects.set(id, dialect);
  return { providers, dialects, checks, caches, owners: toOwners(plugins) };
};

/** The same with lazy dialects, which are loaded for it. */
export const loadCatalogue = async (plugins: readonly Plugin[]): Promise<Catalogue> =>
  buildCatalogue(await withWholeDialects(plugins));
