import type { Refusal } from './generation.ts';
import type { GenerationEntry } from './generation-entry.ts';
import { type LinkFile, loadFile } from './load-file.ts';
import type { LoadedFiles } from './load-files.ts';
import type { PlanSource, SourceFile } from './plan-source.ts';

export interface LoadAliasesOptions extends LinkFile {
  readonly models: Pick<PlanSource, 'toPlan'> & { readonly aliases: readonly SourceFile[] };
  readonly before: ReadonlyMap<string, GenerationEntry>;
  /** Link those that are known too, since secrets may have changed. */
  readonly relink: boolean;
}

/** Compiles and links the virtual models that stand for one model each. One that cannot be keeps its last good plan. */
export const loadAliases = async ({ models, before, relink, ...link }: LoadAliasesOptions): Promise<LoadedFiles> => {
  const entries = new Map(before);
  const refused: Refusal[] = [];
  const reported: LoadedFiles['reported'][number][] = [];
  for (const source of models.aliases) {
    if (before.has(source.name) && !relink) continue;
    const loaded = await loadFile(source, models.toPlan, link);
    if ('entry' in loaded) entries.set(source.name, loaded.entry);
    else {
      const reason = `The virtual model "${source.name}" cannot be served. ${loaded.reason}`;
      refused.push({ file: source.file, reason });
      // Places in the config that was made for it are in no file.
      reported.push({ source, diagnostics: [], reason });
    }
  }
  return { entries, refused, reported };
};
