import { basename } from 'node:path';
import { isRouteFile } from '../../schema/config/is-route-file.ts';
import { factsFileOf } from '../../schema/model-facts/facts-file-of.ts';
import type { CompileResult } from '../../schema/plan/plan.ts';
import type { PlanSource } from './plan-source.ts';
import { readFolder } from './read-folder.ts';

/** The operator's compiler, loaded when the first file asks for it. */
export type CompileOperator = (text: string, file: string) => CompileResult | Promise<CompileResult>;

/** Files that may be beside configs but are not configs. */
const isOther = (name: string): boolean =>
  name.endsWith('.plan.json') || isRouteFile(name) || name === 'gateway.json' || name === factsFileOf('gateway.json');

/** A folder of routing configs (`*.json`, `*.jsonc`), as `gw check` and `gw compile` read one. */
export const configsFolder = (folder: string, compileOperator: CompileOperator): PlanSource => ({
  folder,
  read: async () => {
    const sources = await readFolder(folder, ['.json', '.jsonc']);
    return sources.filter(({ file }) => !isOther(basename(file)));
  },
  toPlan: ({ text, file }) => compileOperator(text, file),
});
