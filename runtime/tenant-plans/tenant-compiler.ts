import type { TenantView } from '../../plugins/sdk/control-plane/tenants.ts';
import { withPrompts } from '../../plugins/sdk/control-plane/with-prompts.ts';
import { namedPrompts } from '../../schema/config/named-prompts.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { CompileResult } from '../../schema/plan/plan.ts';
import type { CompiledText } from './caller-plans.ts';
import type { Timed } from './compile-shares.ts';
import type { DefaultsCompiler } from './guarded-plans.ts';

/** The compiler for what a tenant has saved, and for its callers. */
export interface TenantCompiler extends Pick<DefaultsCompiler, 'withDefaultHooks'> {
  compileSaved(text: string, name: string, timed?: Timed): CompiledText | Promise<CompiledText>;
  compileCaller(text: string, timed?: Timed): CompiledText | Promise<CompiledText>;
}

/** Loads the compiler for the names of one tenant. */
export type LoadTenantCompiler = (
  saved: Saved,
) => Promise<DefaultsCompiler & { compileCaller(text: string, timed?: Timed): CompileResult | Promise<CompileResult> }>;

/** The names in a saved config existed when it was saved, but may be gone. */
const mayBeGone = (saved: Saved): Saved =>
  saved.prompts === undefined ? saved : { ...saved, prompts: { ...saved.prompts, mayBeGone: true } };

/** Whether a config fits its virtual models was checked when it was saved, and is checked for requests that name one. */
const withoutModels = ({ models: _, ...saved }: Saved): Saved => saved;

/** Loads the compiler of a tenant, which reads the stored prompts that a config names before it compiles the config. */
export const loadTenantCompiler = async (
  view: Pick<TenantView, 'saved' | 'prompts'>,
  load: LoadTenantCompiler,
): Promise<TenantCompiler> => {
  const compiler = await load(withoutModels(view.saved));
  return {
    withDefaultHooks: compiler.withDefaultHooks,
    compileSaved: async (text, name, timed) => {
      if (namedPrompts(text).length === 0) return compiler.compileSaved(text, name, timed);
      const { saved, prompts } = await withPrompts(view, text);
      return { ...(await (await load(mayBeGone(withoutModels(saved)))).compileSaved(text, name, timed)), prompts };
    },
    compileCaller: (text, timed) => {
      if (namedPrompts(text).length === 0) return compiler.compileCaller(text, timed);
      return withPrompts(view, text).then(async ({ saved, prompts }) => ({
        ...(await (await load(withoutModels(saved))).compileCaller(text, timed)),
        prompts,
      }));
    },
  };
};
