import { afterAll, beforeAll } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

/** A gateway and a provider that answers as a test specifies, for all tests of a file. */
export interface GatewayAndUpstream {
  readonly gateway: GatewayProcess;
  readonly upstream: TestUpstream;
}

/** Starts both before the tests of a file, and stops them after it. They are available once the first test runs. */
export const gatewayAndUpstream = (...options: Parameters<typeof startGateway>): GatewayAndUpstream => {
  let started: GatewayAndUpstream | undefined;
  const find = (): GatewayAndUpstream => {
    if (started === undefined) throw new Error('The gateway is started before the first test, and not earlier.');
    return started;
  };
  beforeAll(async () => {
    const [gateway, upstream] = await Promise.all([startGateway(...options), startUpstream()]);
    started = { gateway, upstream };
  });
  afterAll(async () => {
    await started?.gateway.stop();
    await started?.upstream.close();
  });
  return {
    get gateway() {
      return find().gateway;
    },
    get upstream() {
      return find().upstream;
    },
  };
};
