import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { patience } from '../support/run/patience.ts';

/** `npm run test:package`: the tests of the packed package. They need npm and a registry, so `npm test` does not run them. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/package/*.test.ts'],
    globalSetup: ['test/support/run/memory-folder.ts', 'test/package/support/global-setup.ts'],
    pool: 'forks',
    // The default is one worker less than there are processors, which would leave half of a two-core machine idle.
    maxWorkers: '100%',
    // Many tests run npm several times, next to `npm test` in CI. These limits suffice on a machine ten times slower than most.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: patience },
  },
});

export default config;
