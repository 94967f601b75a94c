import { existsSync, readFileSync } from 'node:fs';
import { type GatewayFileReading, readGatewayFile } from '../../compiler/cli/gateway-file/read-gateway-file.ts';

/** Configs as users publish them, beside the repository; its files are not part of it. */
const folder = new URL('../../../shared/configs/', import.meta.url);

export const realConfigsAreThere: boolean = existsSync(folder);

const read = (file: string): string => (realConfigsAreThere ? readFileSync(new URL(file, folder), 'utf8') : '');

export interface RealConfig {
  readonly name: string;
  readonly text: string;
}

export const realConfigs: readonly RealConfig[] = read('real.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): RealConfig => JSON.parse(line));

/** The gateway file that saves what they name. */
export const realGatewayFile: GatewayFileReading = readGatewayFile(read('real-gateway.json'), 'real-gateway.json');
