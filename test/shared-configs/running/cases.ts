import type { Saved } from '../../../schema/config/saved.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { type RealConfig, realConfigs, realGatewayFile } from '../real-configs.ts';
import type { Way } from './asked.ts';
import { corrected } from './corrected.ts';
import { readWays } from './read-ways.ts';
import { compileReal } from './start-configs.ts';

const asking = new Set([
  'cache',
  'input_guardrails',
  'output_guardrails',
  'before_request_hooks',
  'after_request_hooks',
]);

const asks = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(asks);
  return isJsonObject(value) && Object.entries(value).some(([name, inner]) => asking.has(name) || asks(inner));
};

/** A provider that needs more than a key, and that the gateway file does not save. */
const bedrock = {
  provider: 'bedrock',
  credential: { cloudc_access_key_id: '${env:AWS_ID}', cloudc_secret_access_key: '${env:AWS_SECRET}' },
  settings: { cloudc_region: 'us-east-1' },
};

const { saved } = realGatewayFile;

/** The records to which configs can refer. */
export const runningSaved: Saved = {
  ...saved,
  providers: { ...saved.providers, 'bedrock-prod': bedrock },
  virtualKeys: { ...saved.virtualKeys, 'bedrock-virtual-key': bedrock },
};

/** A config that compiles and runs. */
export interface RunningConfig extends RealConfig {
  /** Whether it is not the author's text, but a correction of it. */
  readonly isCorrected: boolean;
}

const compiles = (config: RealConfig): boolean => compileReal(config, runningSaved).plan !== undefined;

const asRunning = (config: RealConfig): RunningConfig | undefined => {
  if (compiles(config)) return { ...config, isCorrected: false };
  const changed = corrected(config.name, JSON.parse(config.text));
  const other = { name: `${config.name}-corrected`, text: JSON.stringify(changed) ?? '', isCorrected: true };
  return changed !== undefined && compiles(other) ? other : undefined;
};

const asked = realConfigs
  .filter(({ text }) => asks(JSON.parse(text)))
  .map((config) => ({ config, runs: asRunning(config) }));

/** The configs with a cache, a hook or a guardrail. */
export const running: readonly RunningConfig[] = asked.flatMap(({ runs }) => runs ?? []);

/** The names of the configs with one of these that do not compile even when corrected. */
export const notRunning: readonly string[] = asked.flatMap(({ config, runs }) =>
  runs === undefined ? [config.name] : [],
);

/** A saved config, and one path through it. */
export interface Case extends Way {
  /** The config and the path, as readable text. */
  readonly label: string;
  /** The name under which it is saved. */
  readonly config: string;
  /** Whether the config is for requests that bring a provider. */
  readonly isOpen: boolean;
}

const namesNoProvider = (config: JsonObject): boolean =>
  !['provider', 'virtual_key', 'targets'].some((member) => member in config);

/** Every path through every config that runs. */
export const cases: readonly Case[] = running.flatMap(({ name, text }) => {
  const config: JsonObject = JSON.parse(text);
  const savedAs = typeof config.name === 'string' ? config.name : name;
  const isOpen = namesNoProvider(config);
  return readWays(config, runningSaved).map((way) => ({ ...way, label: name + way.title, config: savedAs, isOpen }));
});
