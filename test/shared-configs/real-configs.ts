import { readFileSync } from 'node:fs';
import { type GatewayFileReading, readGatewayFile } from '../../compiler/cli/files/read-gateway-file.ts';
import { compile } from '../../compiler/compile.ts';
import { builtinPlugins } from '../../plugins/builtin.ts';
import { buildCatalogue, type Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { sharedConfigsExist, sharedFile } from './shared-folder.ts';

const read = (file: string): string => (sharedConfigsExist ? readFileSync(sharedFile(file), 'utf8') : '');

/** A config that a user has published. */
export interface RealConfig {
  readonly name: string;
  readonly text: string;
}

export const realConfigs: readonly RealConfig[] = read('real.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): RealConfig => JSON.parse(line));

/** The gateway file that saves the records to which the configs refer. */
export const realGatewayFile: GatewayFileReading = readGatewayFile(read('real-gateway.json'), 'real-gateway.json');

export const builtinCatalogue: Catalogue = buildCatalogue(builtinPlugins);

/** Returns the findings in each real config. */
export const checkRealConfigs = (): readonly {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
}[] => {
  const { saved } = realGatewayFile;
  return realConfigs.map(({ name, text }) => ({
    name,
    diagnostics: compile(text, { trust: 'operator', catalogue: builtinCatalogue, saved, file: `${name}.json` })
      .diagnostics,
  }));
};
