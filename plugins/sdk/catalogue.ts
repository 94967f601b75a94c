import type { Dialect } from './dialect.ts';
import type { Guardrail } from './guardrail.ts';
import type { Plugin } from './plugin.ts';
import type { Provider } from './provider.ts';

/** Everything that the loaded plugins provide, by name; the compiler checks configs against it. */
export interface Catalogue {
  /** By id and by alias. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** By id in lower case: configs may spell checks in any case. */
  readonly checks: ReadonlyMap<string, Guardrail>;
}

const add = <Thing>(things: Map<string, Thing>, name: string, thing: Thing, what: string): void => {
  if (things.has(name)) throw new Error(`Two plugins provide the ${what} "${name}".`);
  things.set(name, thing);
};

/** Throws an `Error` if two plugins provide the same name. */
export const buildCatalogue = (plugins: readonly Plugin[]): Catalogue => {
  const providers = new Map<string, Provider>();
  const dialects = new Map<string, Dialect>();
  const checks = new Map<string, Guardrail>();
  for (const plugin of plugins) {
    for (const provider of plugin.providers ?? [])
      for (const name of [provider.id, ...(provider.aliases ?? [])]) add(providers, name, provider, 'provider');
    for (const dialect of plugin.dialects ?? []) add(dialects, dialect.id, dialect, 'dialect');
    for (const check of plugin.guardrails ?? []) add(checks, check.id.toLowerCase(), check, 'check');
  }
  return { providers, dialects, checks };
};
