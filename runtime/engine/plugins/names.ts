import type { CacheDefinition } from '../../../plugins/sdk/cache/cache.ts';
import type { ChooserDefinition } from '../../../plugins/sdk/chooser/chooser.ts';
import type { Dialect, DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import { loadDialect } from '../../../plugins/sdk/dialect/load-dialect.ts';
import type { Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import { unwrapProvider } from '../../../plugins/sdk/provider/late-provider.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';

/** Looks up what plugins provide, by name. */
export interface Names {
  provider(id: string): Provider | undefined;
  /** Returns the declaration of a dialect, which is always available. */
  declaration(id: string): DialectDeclaration | undefined;
  /** Returns the whole dialect. A promise only until it is loaded. */
  dialect(id: string): Dialect | Promise<Dialect> | undefined;
  check(id: string): Guardrail | undefined;
  cache(mode: string): CacheDefinition | undefined;
  chooser(id: string): ChooserDefinition | undefined;
}

/** Calls each name's hook once. */
const remembered = <Thing>(ask: (name: string) => Thing | undefined): ((name: string) => Thing | undefined) => {
  const known = new Map<string, Thing>();
  return (name) => {
    const thing = known.get(name) ?? ask(name);
    if (thing !== undefined) known.set(name, thing);
    return thing;
  };
};

export const createNames = (hooks: Hooks): Names => {
  const declared = remembered((id) => hooks.dialect.get(id)?.call());
  const loaded = new Map<string, Dialect>();

  const load = (id: string): Dialect | Promise<Dialect> | undefined => {
    const dialect = declared(id);
    const whole = dialect === undefined ? undefined : loadDialect(dialect);
    if (!(whole instanceof Promise)) return whole;
    // A failure is not remembered, so that the next request tries again.
    return whole.then((each) => {
      loaded.set(id, each);
      return each;
    });
  };

  return {
    provider: remembered((id) => {
      const provider = hooks.provider.get(id)?.call();
      return provider && unwrapProvider(provider);
    }),
    declaration: declared,
    dialect: (id) => loaded.get(id) ?? load(id),
    check: remembered((id) => hooks.check.get(id.toLowerCase())?.call()),
    cache: remembered((mode) => hooks.cache.get(mode)?.call()),
    chooser: remembered((id) => hooks.chooser.get(id)?.call()),
  };
};
