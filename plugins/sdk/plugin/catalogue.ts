import type { ContentHash } from '../../../schema/json/canonical.ts';
import type { CacheDefinition } from '../cache/cache.ts';
import type { ChooserDefinition } from '../chooser/chooser.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { type Guardrail, guardrailNames } from '../guardrail/guardrail.ts';
import type { Provider } from '../provider/provider.ts';
import type { LazyLogSink, LogSink } from '../sink/sink.ts';
import { withWholeDialects } from './load-whole-plugins.ts';
import type { Plugin } from './plugin.ts';

/** Everything that the loaded plugins provide, by name. The compiler checks configs against it. */
export interface Catalogue {
  /** By id and by alias. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** Without the lazy dialects, which `loadCatalogue` adds. */
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** By id and by alias, in lower case, because configs may write the names of checks in any case. */
  readonly checks: ReadonlyMap<string, Guardrail>;
  /** By mode. */
  readonly caches: ReadonlyMap<string, CacheDefinition>;
  /** By id. */
  readonly choosers: ReadonlyMap<string, ChooserDefinition>;
  /** Log sinks, by id. */
  readonly sinks: ReadonlyMap<string, LogSink | LazyLogSink>;
  /** The plugin that provides each item. Only plugins whose files have a hash are listed, which the built-in ones do not. */
  readonly owners?: ReadonlyMap<Provider | Guardrail | CacheDefinition | ChooserDefinition, PluginIdentity>;
}

/** A plugin as plans identify it. */
export interface PluginIdentity {
  readonly name: string;
  readonly integrity: () => ContentHash;
}

const byId = ({ id }: { readonly id: string }): readonly string[] => [id];

/** Maps the items of one kind that plugins provide by all of their names. */
const named = <Thing>(
  what: string,
  plugins: readonly Plugin[],
  list: (plugin: Plugin) => readonly Thing[] | undefined,
  namesOf: (thing: Thing) => readonly string[],
): ReadonlyMap<string, Thing> => {
  const things = new Map<string, Thing>();
  for (const thing of plugins.flatMap((plugin) => list(plugin) ?? []))
    for (const name of namesOf(thing)) {
      if (things.has(name)) throw new Error(`Two plugins provide the ${what} "${name}".`);
      things.set(name, thing);
    }
  return things;
};

const toOwners = (plugins: readonly Plugin[]): NonNullable<Catalogue['owners']> =>
  new Map(
    plugins.flatMap(({ name, integrity, providers = [], guardrails = [], caches = [], choosers = [] }) =>
      integrity === undefined
        ? []
        : [...providers, ...guardrails, ...caches, ...choosers].map((thing) => [thing, { name, integrity }] as const),
    ),
  );

/** Builds the catalogue of the plugins. Throws an `Error` if two plugins provide the same name. */
export const buildCatalogue = (plugins: readonly Plugin[]): Catalogue => {
  const declared = named('dialect', plugins, ({ dialects }) => dialects, byId);
  const dialects = new Map<string, Dialect>();
  for (const [id, dialect] of declared) if (!('load' in dialect)) dialects.set(id, dialect);
  return {
    providers: named(
      'provider',
      plugins,
      ({ providers }) => providers,
      ({ id, aliases = [] }) => [id, ...aliases],
    ),
    dialects,
    checks: named('check', plugins, ({ guardrails }) => guardrails, guardrailNames),
    caches: named(
      'cache mode',
      plugins,
      ({ caches }) => caches,
      ({ mode }) => [mode],
    ),
    choosers: named('balance', plugins, ({ choosers }) => choosers, byId),
    sinks: named('sink', plugins, ({ sinks }) => sinks, byId),
    owners: toOwners(plugins),
  };
};

/** Builds the catalogue including lazy dialects, which are loaded first. */
export const loadCatalogue = async (plugins: readonly Plugin[]): Promise<Catalogue> =>
  buildCatalogue(await withWholeDialects(plugins));

/** Returns the id of the provider with this id or alias, or the name itself if no provider has it. */
export const findProviderId = ({ providers }: Pick<Catalogue, 'providers'>, name: string): string =>
  providers.get(name)?.id ?? name;

/** Returns the check with this id or alias, which may be written in any case. */
export const findCheck = ({ checks }: Pick<Catalogue, 'checks'>, name: string): Guardrail | undefined =>
  checks.get(name.toLowerCase());
