import { onTestFinished } from 'vitest';
import type { Upstream } from '../../../plugins/sdk/http/http.ts';
import { createUpstreams, type Upstreams, type UpstreamsOptions } from '../../../runtime/upstream/upstreams.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';

/** Closes these at the end of the test, the last one first. */
export const closeAfterTest = (...opened: { close(): Promise<void> }[]): void =>
  onTestFinished(async () => {
    for (const each of opened.reverse()) await each.close();
  });

/** Starts a server and opens it as an upstream, until the end of the test. */
export const setUp = async (
  handler?: UpstreamHandler,
  options: Partial<UpstreamsOptions> = {},
): Promise<{ server: TestUpstream; upstreams: Upstreams; upstream: Upstream }> => {
  const server = await startUpstream(handler);
  const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'], ...options });
  closeAfterTest(server, upstreams);
  return { server, upstreams, upstream: upstreams.open(server.origin, { operatorHost: true }) };
};
