import { loadDialect } from '../dialect/load-dialect.ts';
import type { Plugin } from './plugin.ts';

/** A plugin may be an instance of a class, and a copy of its own members would lose the methods. */
const copyPlugin = (plugin: Plugin): Plugin => ({
  ...plugin,
  apply: (hooks, options) => plugin.apply?.(hooks, options),
});

/** Loads all dialects of the plugins, for the compiler, which cannot wait for them later. */
export const withWholeDialects = (plugins: readonly Plugin[]): Promise<readonly Plugin[]> =>
  Promise.all(
    plugins.map(async (plugin) => ({
      ...copyPlugin(plugin),
      dialects: await Promise.all((plugin.dialects ?? []).map(loadDialect)),
    })),
  );

/** Loads all dialects and the code of all guardrails, for virtual time, in which only timers can be waited for. */
export const loadWholePlugins = async (plugins: readonly Plugin[]): Promise<readonly Plugin[]> =>
  Promise.all(
    (await withWholeDialects(plugins)).map(async ({ guardrails = [], ...plugin }) => ({
      ...plugin,
      guardrails: await Promise.all(guardrails.map((guardrail) => guardrail.load?.() ?? guardrail)),
    })),
  );
