import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // It wants npm and a registry, and is run by itself: npm run test:package
    exclude: [...configDefaults.exclude, 'test/package/**'],
    pool: 'forks',
    // One worker less, as is usual, would leave half of a machine with two cores idle.
    maxWorkers: '100%',
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
