import type { TestUpstream } from '../../support/servers/upstream-server.ts';

/** Returns how many requests each upstream got while something ran. */
export const sentDuring = async (
  upstreams: readonly TestUpstream[],
  run: () => Promise<unknown>,
): Promise<readonly number[]> => {
  const before = upstreams.map(({ requests }) => requests.length);
  await run();
  return upstreams.map(({ requests }, at) => requests.length - (before[at] ?? 0));
};
