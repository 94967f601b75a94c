import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';
import { patience } from './test/support/run/patience.ts';
import { SlowestFiles } from './test/support/run/slowest-files.ts';

const plugins = readdirSync(new URL('test/plugins', import.meta.url)).filter((name) => name !== 'control');

/** These tests start no gateway that is built before. */
const unbuilt = ['compiler', 'runtime', 'schema', ...plugins.map((name) => `plugins/${name}`)].map(
  (name) => `test/${name}/**`,
);

// It wants npm and a registry, and is run by itself: npm run test:package
const exclude = [...configDefaults.exclude, 'test/package/**'];

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: unbuilt.map((each) => `${each}/*.test.ts`), exclude },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...unbuilt],
          globalSetup: ['test/support/gateways/build-installed-gateway.ts'],
        },
      },
    ],
    globalSetup: ['test/support/run/memory-folder.ts', 'test/support/run/choose-sample.ts'],
    pool: 'forks',
    // Files share processes, and what they import: half a second of processor time for each file would go into that.
    isolate: false,
    // Node runs the sources as they are; Vite would transform each for every process.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Laws make and drop so much that V8's usual nursery takes a tenth of their time.
    execArgv: ['--max-semi-space-size=64'],
    // More than there are processors: many tests wait for time to pass.
    maxWorkers: availableParallelism() + 2,
    // Gateways that tests start find what the first one compiled, as those of `gw.js` do: half of what a start costs.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/gatewright-tests', import.meta.url)) },
    sequence: { sequencer: LongestFirst },
    reporters: [...configDefaults.reporters, new SlowestFiles()],
    // As much as a test takes on a crowded machine, with what it waits for.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: patience },
    coverage: {
      provider: 'v8',
      include: ['compiler/**', 'runtime/**', 'plugins/**', 'schema/**'],
      exclude: ['**/generated/**'],
    },
  },
});

export default config;
