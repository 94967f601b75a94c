import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // It wants npm and a registry, and is run by itself: npm run test:package
    exclude: [...configDefaults.exclude, 'test/package/**'],
    pool: 'forks',
    // One more than there are processors: many tests wait for time to pass.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    coverage: {
      provider: 'v8',
      include: ['compiler/**', 'runtime/**', 'plugins/**', 'schema/**'],
      exclude: ['**/generated/**'],
    },
  },
});

export default config;
