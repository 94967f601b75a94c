import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { ServeServices } from '../../runtime/cli/services/serve-services.ts';
import { needsKey } from '../../runtime/cli/settings/to-service-keys.ts';
import { type Timed, untimed } from '../../runtime/tenant-plans/compile-shares.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { CompileResult } from '../../schema/plan/plan.ts';
import { compileWithIsolated } from './compile-with-isolated.ts';

/** The compiler as a gateway uses it: for its own files, for saved configs, and for configs that come with requests. */
export const serveCompiler: ServeServices['compiler'] = async ({
  plugins,
  saved,
  isolated,
  settings,
  findUntrusted,
}) => {
  const [{ compileCaller }, { withDefaultHooks }, { buildCatalogue, loadCatalogue }] = await Promise.all([
    import('../../compiler/compile-caller.ts'),
    import('../../compiler/with-default-hooks.ts'),
    import('../../plugins/sdk/plugin/catalogue.ts'),
  ]);
  const catalogue = buildCatalogue(plugins);
  const makesVectors = settings.cache?.semantic !== undefined;
  let whole: Promise<Catalogue> | undefined;
  const toCaller =
    (own: Saved, showsNear: boolean) =>
    (text: string, timed: Timed = untimed) => {
      const compile = (): CompileResult => timed(() => compileCaller(text, { catalogue, saved: own, showsNear }));
      return isolated.length === 0 ? whenLoaded(compile) : compileWithIsolated(isolated, compile);
    };
  return {
    // Only the warnings for files need the dialects.
    compileOperator: async (text, file) => {
      whole ??= loadCatalogue(plugins);
      const [{ compile }, known] = await Promise.all([import('../../compiler/compile.ts'), whole]);
      return compileWithIsolated(isolated, () =>
        compile(text, { trust: 'operator', catalogue: known, saved, file, makesVectors, findUntrusted }),
      );
    },
    // Without keys, callers are strangers, and are shown no saved names.
    compileCaller: toCaller(saved, needsKey(settings, settings.store !== undefined)),
    // A tenant's saved records are used only for callers with a key of that tenant.
    callerCompiler: (own) => toCaller(own, true),
    withDefaultHooks: (plan, defaults) => withDefaultHooks(plan, defaults, catalogue),
    compileSaved: async (text, { saved: own, name, timed = untimed }) => {
      const { compile } = await import('../../compiler/compile.ts');
      return compileWithIsolated(isolated, () =>
        timed(() => compile(text, { trust: 'saved', catalogue, saved: own, name })),
      );
    },
  };
};
