import type { Plugin } from './plugin.ts';
import { wholeDialect } from './whole-dialect.ts';

/** The plugins with all of their dialects loaded, for whatever cannot wait for one later: the compiler, and virtual time. */
export const wholePlugins = (plugins: readonly Plugin[]): Promise<readonly Plugin[]> =>
  Promise.all(
    plugins.map(async (plugin) => ({
      ...plugin,
      dialects: await Promise.all((plugin.dialects ?? []).map(wholeDialect)),
      // A plugin may be an instance of a class, whose methods a copy would lose.
      apply: (hooks, options) => plugin.apply?.(hooks, options),
    })),
  );
