import { RE2JS } from 're2js';
import { prepareValidators } from '../../plugins/sdk/parameters/compile-schema.ts';
import { hasRequire, provideModule } from '../../schema/modules/require-module.ts';
import { sha256 } from '../../schema/text/sha256.ts';
import { validatorKey } from '../catalogue/validator-key.ts';
import { yamlModule } from '../parse/read-tree.ts';
import * as yaml from '../parse/yaml/read-yaml.ts';
import { generatedValidators } from './generated/parameter-validators.ts';

let isDone = false;

/** Provides all that the compiler loads of Node and of packages, where there is no Node: a worker of a browser, for instance. */
export const providePortableModules = (): void => {
  if (isDone || hasRequire) return;
  isDone = true;
  provideModule('re2js', { RE2JS });
  provideModule('node:crypto', { hash: (_: string, text: string) => sha256(text) });
  provideModule(yamlModule, yaml);
  const validators = generatedValidators();
  prepareValidators((closed) => validators[validatorKey(closed)]);
};
