import { wholeDialect } from '../dialect/whole-dialect.ts';
import type { Plugin } from './plugin.ts';

/** A plugin may be an instance of a class, whose methods a copy would lose. */
const copyPlugin = (plugin: Plugin): Plugin => ({
  ...plugin,
  apply: (hooks, options) => plugin.apply?.(hooks, options),
});

/** The plugins with all of their dialects loaded, for the compiler, which cannot wait for one later. */
export const withWholeDialects = (plugins: readonly Plugin[]): Promise<readonly Plugin[]> =>
  Promise.all(
    plugins.map(async (plugin) => ({
      ...copyPlugin(plugin),
      dialects: await Promise.all((plugin.dialects ?? []).map(wholeDialect)),
    })),
  );

/** The same with the code of all guardrails, for virtual time, which waits for nothing but timers. */
export const wholePlugins = async (plugins: readonly Plugin[]): Promise<readonly Plugin[]> =>
  Promise.all(
    (await withWholeDialects(plugins)).map(async ({ guardrails = [], ...plugin }) => ({
      ...plugin,
      guardrails: await Promise.all(guardrails.map((guardrail) => guardrail.load?.() ?? guardrail)),
    })),
  );
