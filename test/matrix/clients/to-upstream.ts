import type { UpstreamDriver } from '../upstreams/upstream-driver.ts';
import { upstreamDrivers } from '../upstreams/upstream-drivers.ts';

/** Returns the provider for a dialect. */
export const toUpstream = (dialect: string): UpstreamDriver => {
  const upstream = upstreamDrivers.get(dialect);
  if (upstream === undefined) throw new Error(`No provider speaks ${dialect}.`);
  return upstream;
};
