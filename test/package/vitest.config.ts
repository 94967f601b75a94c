import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { patience } from '../support/patience.ts';

/** `npm run test:package`: what holds of the packed package. It needs npm and a registry, so `npm test` leaves it out. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/package/*.test.ts'],
    globalSetup: ['test/support/memory-folder.ts', 'test/package/support/global-setup.ts'],
    pool: 'forks',
    // One worker less, as is usual, would leave half of a machine with two cores idle.
    maxWorkers: '100%',
    // Many run npm several times, beside `npm test` in CI: as much as they take on a machine that is ten times as slow as most.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: patience },
  },
});

export default config;
