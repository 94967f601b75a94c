import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** The tests that judge mutants of the rewrites and of the engine; laws are tried less often, since they are tried for each mutant. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: [
      'test/compiler/optimise/**/*.test.ts',
      'test/laws/{balances,cache,continued-streams,hedges,rewrites,running,split-embeddings}.test.ts',
      'test/plugins/{alerts,caches,overload}/**/*.test.ts',
      'test/plugins/guardrails/**/{at-work,every-partner,hidden-words}.test.ts',
      'test/plugins/telemetry/**/tap-requests.test.ts',
      'test/runtime/{embedded,engine,file-plans,in-memory,json-bodies,server,simulation,tenant-plans}/**/*.test.ts',
    ],
    testTimeout: 60_000,
    env: { LAW_RUNS: '100' },
  },
});

export default config;
