import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The upstream's answers: JSON for `''`, a 500 for `/failing`, a stream for all others. */
export type Traffic = '' | '/paced' | '/flat-out' | '/held';
export const traffics: readonly Traffic[] = ['', '/paced', '/flat-out', '/held'];

export interface Ports {
  readonly upstream: number;
  /** The port of the receiver of traces. */
  readonly receiver: number;
  readonly first: number;
}

/** Returns a routing config that leads to the upstream. */
export type ConfigFor = (ports: Ports, traffic: Traffic) => object;

/** Returns a target at the benchmark's upstream. */
export const target = (
  { upstream }: Pick<Ports, 'upstream'>,
  traffic: Traffic | '/failing',
  more: object = {},
): object => ({
  provider: 'openai',
  api_key: 'bench-target-key',
  custom_host: `http://127.0.0.1:${upstream}${traffic}/v1`,
  ...more,
});

export const single: ConfigFor = (ports, traffic) => target(ports, traffic);

export const fallingBack = (ports: Ports): object => ({
  strategy: { mode: 'fallback' },
  targets: [target(ports, '/failing'), target(ports, '')],
});

/** A condition, then a fallback over a load balance, with retries. */
export const nested: ConfigFor = (ports, traffic) => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.user_plan': { $eq: 'paid' } }, then: 'paid' }],
    default: 'free',
  },
  targets: [
    {
      name: 'paid',
      strategy: { mode: 'fallback' },
      retry: { attempts: 2 },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [target(ports, traffic, { weight: 0.7 }), target(ports, traffic, { weight: 0.3 })],
        },
        target(ports, traffic, { override_params: { model: 'gpt-4o' } }),
      ],
    },
    { name: 'free', ...target(ports, traffic) },
  ],
});

const checks = (parameters: Readonly<Record<string, object>>): object => ({ ...parameters, deny: true });

/** Three input checks, each of which reads the whole text of a request. */
export const threeChecks: ConfigFor = (ports, traffic) =>
  target(ports, traffic, {
    input_guardrails: [
      checks({
        'default.contains': { words: ['a forbidden word', 'another one'], operator: 'none' },
        'default.regexMatch': { rule: 'forbidden (words?|phrases?)', not: true },
        'default.wordCount': { maxWords: 100_000 },
      }),
    ],
  });

/** A check that judges a stream window by window. */
export const windowed: ConfigFor = (ports, traffic) =>
  target(ports, traffic, {
    output_guardrails: [checks({ 'default.contains': { words: ['a forbidden word'], operator: 'none' } })],
  });

export const cached: ConfigFor = (ports, traffic) => target(ports, traffic, { cache: { mode: 'simple' } });

/** Returns the name of the config for a kind of traffic, in files and in stores. */
export const configName = (name: string, traffic: Traffic): string => `${name}${traffic.replace('/', '-')}`;

const withReferences = (config: object): string =>
  JSON.stringify(config).replaceAll('bench-target-key', '$' + '{env:BENCH_KEY}');

export interface WrittenConfigs {
  readonly folder: string;
  readonly gatewayFile: string;
}

/**
 * Writes configs, each for every kind of traffic, into a new folder, with a gateway file beside them. The caller removes the
 * folder.
 */
export const writeConfigs = (
  ports: Ports,
  configs: Readonly<Record<string, ConfigFor>>,
  parent: string = tmpdir(),
): WrittenConfigs => {
  const folder = mkdtempSync(path.join(parent, 'gw-bench-'));
  mkdirSync(path.join(folder, 'configs'));
  for (const traffic of traffics)
    for (const [name, config] of Object.entries(configs))
      writeFileSync(
        path.join(folder, 'configs', `${configName(name, traffic)}.json`),
        withReferences(config(ports, traffic)),
      );
  return { folder, gatewayFile: writeGatewayFile(folder, 'gateway', { configs: 'configs' }) };
};

/** Writes a gateway file into a folder; the paths in it are relative to that. */
export const writeGatewayFile = (folder: string, name: string, settings: object): string => {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ trusted_hosts: ['127.0.0.1'], ...settings }));
  return file;
};
