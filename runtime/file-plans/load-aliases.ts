import type { Refusal } from './generation.ts';
import type { GenerationEntry } from './generation-entry.ts';
import { type LinkFile, loadFile } from './load-file.ts';
import type { Finding, LoadedFiles } from './load-files.ts';
import type { PlanSource, SourceFile } from './plan-source.ts';

export interface LoadAliasesOptions extends LinkFile {
  readonly models: Pick<PlanSource, 'toPlan'> & { readonly aliases: readonly SourceFile[] };
  readonly before: ReadonlyMap<string, GenerationEntry>;
  /** Whether known ones are linked again too, because secrets may have changed. */
  readonly relink: boolean;
}

const cannotServe = (sources: readonly SourceFile[], reason: string): string => {
  const names = sources.map(({ name }) => `"${name}"`).join(', ');
  return `The virtual ${sources.length === 1 ? 'model' : 'models'} ${names} cannot be served. ${reason}`;
};

/** Compiles and links the virtual models that stand for a single model. If that fails, the last good plan is kept. */
export const loadAliases = async ({ models, before, relink, ...link }: LoadAliasesOptions): Promise<LoadedFiles> => {
  const entries = new Map(before);
  const refused: Refusal[] = [];
  const failed: (Pick<Finding, 'unusable'> & { readonly source: SourceFile; readonly reason: string })[] = [];
  for (const source of models.aliases) {
    if (before.has(source.name) && !relink) continue;
    const loaded = await loadFile(source, models.toPlan, link);
    if ('entry' in loaded) entries.set(source.name, loaded.entry);
    else {
      refused.push({ file: source.file, reason: cannotServe([source], loaded.reason) });
      failed.push({ source, reason: loaded.reason, ...(loaded.unusable && { unusable: loaded.unusable }) });
    }
  }
  const reported = [...Map.groupBy(failed, ({ reason }) => reason)].flatMap(([reason, all]): readonly Finding[] => {
    const sources = all.map(({ source }) => source);
    const [{ source, unusable } = {}] = all;
    if (source === undefined) return [];
    // Positions in the generated config are in no file.
    const found = { source, diagnostics: [], reason: cannotServe(sources, reason), ...(unusable && { unusable }) };
    return [{ ...found, models: sources.map(({ name }) => name) }];
  });
  return { entries, refused, reported };
};
