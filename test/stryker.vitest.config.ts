import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** The tests that judge mutants of the rewrites and of the engine; laws are tried less often, since they are tried for each mutant. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: [
      'test/compiler/optimise/**/*.test.ts',
      'test/laws/{balances,hedges,rewrites,running}.test.ts',
      'test/runtime/{json-bodies,engine}/**/*.test.ts',
    ],
    testTimeout: 60_000,
    env: { LAW_RUNS: '100' },
  },
});

export default config;
