import { RE2JS } from 're2js';
import { prepareValidators } from '../../plugins/sdk/parameters/compile-schema.ts';
import { hasRequire, provideModule } from '../../schema/modules/require-module.ts';
import { sha256 } from '../../schema/text/sha256.ts';
import { yamlModule } from '../parse/read-tree.ts';
import * as yaml from '../parse/yaml/read-yaml.ts';
import { validatorKey } from '../plugin-catalogue/validator-key.ts';
import { generatedValidators } from './generated/parameter-validators.ts';

let isDone = false;

/**
 * Provides everything that the compiler loads from Node and from packages, for environments without Node such as a worker of a
 * browser.
 */
export const providePortableModules = (): void => {
  if (isDone || hasRequire) return;
  isDone = true;
  provideModule('re2js', { RE2JS });
  provideModule('node:crypto', { hash: (_: string, text: string) => sha256(text) });
  provideModule(yamlModule, yaml);
  const validators = generatedValidators();
  prepareValidators((closed) => validators[validatorKey(closed)]);
};
