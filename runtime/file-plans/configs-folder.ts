import { basename } from 'node:path';
import { fileEndings, isOtherFile } from '../../schema/config/file-names.ts';
import type { CompileResult } from '../../schema/plan/plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/** The operator's compiler. It is loaded for the first file. */
export type CompileOperator = (text: string, file: string) => CompileResult | Promise<CompileResult>;

/** A folder of routing configs (`*.json`, `*.jsonc`, `*.yaml`, `*.yml`), as `gw check` and `gw compile` read it. */
export const configsFolder = (folder: string, compileOperator: CompileOperator): PlanSource => ({
  folder,
  read: async () => {
    const sources = await readFolder(folder, fileEndings);
    return sources.filter(({ file }) => !isOtherFile(basename(file)));
  },
  toPlan: ({ text, file }) => compileOperator(text, file),
});
