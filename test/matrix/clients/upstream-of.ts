import type { ReceivedRequest } from '../../support/upstream-server.ts';
import type { UpstreamDriver } from '../upstreams/upstream-driver.ts';
import { upstreamDrivers } from '../upstreams/upstream-drivers.ts';

/** Google's library asks for `v1` since its third version, where all that is asked here is as in `v1beta`. */
const asBeta = (request: ReceivedRequest): ReceivedRequest => ({
  ...request,
  path: request.path.replace(/^\/v1\/models\//, '/v1beta/models/'),
});

/** The provider of a dialect. */
export const upstreamOf = (dialect: string): UpstreamDriver => {
  const upstream = upstreamDrivers.get(dialect);
  if (upstream === undefined) throw new Error(`No provider speaks ${dialect}.`);
  return {
    dialect,
    hear: (request) => upstream.hear(asBeta(request)),
    answer: (call, answer, stream) => upstream.answer({ ...call, request: asBeta(call.request) }, answer, stream),
  };
};
