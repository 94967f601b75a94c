import { aliasConfig } from '../../../schema/config/alias-config.ts';
import { createFileModels, type FileModels } from '../../file-plans/file-models.ts';
import type { ServeCompiler } from '../services/serve-environment.ts';
import type { ReadEnvironment } from './read-environment.ts';

/** Reads the virtual models of the gateway file, which were checked before. */
export const toFileModels = (
  { settings: { models = {} }, saved, file = '' }: ReadEnvironment,
  compiler: () => Promise<ServeCompiler>,
): FileModels =>
  createFileModels(models, {
    toSource: (name, target) => ({ name, file, text: aliasConfig(name, target, saved) }),
    toPlan: async (source) => (await compiler()).compileOperator(source.text, source.file),
  });
