import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { converse } from '../conversations/fallback/converse.ts';
import { orders } from '../conversations/fallback/orders.ts';
import { type Stage, startStage } from '../conversations/stage.ts';
import { tongues } from '../conversations/tongues/tongues.ts';

let gateway: GatewayProcess;
let stage: Stage;

beforeAll(async () => {
  [gateway, stage] = await Promise.all([startGateway(), startStage()]);
});
afterAll(async () => {
  await gateway.stop();
  await stage[Symbol.asyncDispose]();
});

/**
 * Each turn is served by the next service because the services before it are overloaded, and the last turn by the first
 * service again. Every service checks all requests that it gets: they contain nothing that another service made, and nothing
 * else is missing.
 */
describe.each(tongues)('a conversation of a client of $id', (tongue) => {
  it('continues at the next service, in every order of services', async () => {
    const { origin } = gateway;
    const results = await Promise.all(
      orders.map(async (order, at) => {
        const id = `${tongue.id.replace(/\W+/g, '-')}-${at}`;
        return { order: order.join(' -> '), faults: await converse(id, tongue, { stage, origin, order }) };
      }),
    );
    expect(results.filter(({ faults: errors }) => errors.length > 0).slice(0, 3)).toEqual([]);
  });
});
