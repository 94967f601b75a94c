import type { CompileResult } from '../../schema/plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/** The operator's compiler, loaded when the first file asks for it. */
export type CompileOperator = (text: string, file: string) => CompileResult | Promise<CompileResult>;

/** A folder of routing configs (`*.json`, `*.jsonc`); a config is saved under its file's name. */
export const configsFolder = (folder: string, compileOperator: CompileOperator): PlanSource => ({
  folder,
  read: async () => {
    const sources = await readFolder(folder, ['.json', '.jsonc']);
    return sources.filter(({ file }) => !file.endsWith('.plan.json'));
  },
  toPlan: ({ text, file }) => compileOperator(text, file),
});
