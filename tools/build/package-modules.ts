import path from 'node:path';
import { yamlModule } from '../../compiler/parse/read-tree.ts';
import { choosersModule } from '../../plugins/choosers/late-choosers.ts';
import { lateNames } from '../../plugins/providers/late-names.ts';

export const root: string = path.join(import.meta.dirname, '../..');

/** The subpaths in the package's `exports`, and the sources behind them. */
export const faces: Readonly<Record<string, string>> = {
  '.': 'index.ts',
  './compiler': 'compiler/api.ts',
  './editor': 'compiler/editor/api.ts',
  './schema': 'schema/api.ts',
  './sdk': 'plugins/sdk/sdk.ts',
  './testing': 'testing.ts',
};

/** The subpath that runs in browsers. */
export const editorModule: string = 'compiler/editor/api';

/** The only packages that are part of its code. */
export const editorPackages: readonly string[] = ['jsonc-parser', 'lru-cache', 're2js', 'yaml'];

/** The modules behind the subpaths, relative to the folder of code, without extension. */
export const publicModules: readonly string[] = Object.values(faces).map((source) => source.replace(/\.ts$/, ''));

/** The modules with which the store's threads start, and the jobs that they run. Each needs a small part of the gateway. */
export const threadModules: readonly string[] = [
  'plugins/control/kernel/store/sqlite/worker',
  'plugins/control/kernel/store/postgres/job-worker',
  'plugins/control/metering/counters/redis/postings-job',
  'plugins/control/metering/ledger/ledger-job',
  'plugins/control/logs/writer/convert-earlier',
  'plugins/control/logs/writer/log-job',
  'plugins/control/work/response-items/items-job',
];

/** The modules with which processes and threads start, which `ownModule` finds at their places. */
export const startedModules: readonly string[] = [
  'gw',
  'gw/sinks/thread',
  'gw/compile-thread',
  'plugins/host/isolation/child/main',
  'plugins/host/isolation/launcher/main',
  'plugins/host/verifying/child',
  'plugins/telemetry/otlp/export/worker',
  'runtime/usage/answer-reader',
  ...threadModules,
];

/**
 * The rows of providers, the choosers and the YAML parser, which `loadOwnModule` finds at their places when a config needs one.
 */
export const lateModules: readonly string[] = [
  choosersModule,
  yamlModule,
  ...lateNames.map(({ file }) => `plugins/providers/${file}`),
];
