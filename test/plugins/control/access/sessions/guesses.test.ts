import { expect, it } from 'vitest';
import { sessionRoutes } from '../../../../../plugins/control/access/sessions/session-routes.ts';
import type { RouteContext } from '../../../../../plugins/sdk/route/route-row.ts';
import type { GatewayError } from '../../../../../schema/errors/errors.ts';
import { controlWorld } from '../../support/control-world.ts';

/** Presents an unknown key from an address and returns the status of the response. */
let guess: (address: string) => Promise<unknown> = async () => '';

const guesser = async () => {
  const world = await controlWorld({
    routes: (parts) => {
      const [begin] = sessionRoutes(parts).filter(({ method }) => method === 'POST');
      guess = async (clientAddress) => {
        const context = { clientAddress, browser: { place: 'loopback' }, now: Date.now } as unknown as RouteContext;
        const input = { params: {}, query: {}, body: { key: 'gw-none' }, received: {} as never };
        const answer = Promise.resolve(begin?.handle(input, context));
        return answer.then(
          () => 'signed in',
          (error: GatewayError) => error.report.status,
        );
      };
      return [];
    },
  });
  return world;
};

it('key guesses from all addresses of one IPv6 network are counted together', async () => {
  await using _world = await guesser();
  for (let host = 1; host <= 10; host += 1) expect(await guess(`2001:db8::${host.toString(16)}`)).toBe(401);
  expect(await guess('2001:db8::ffff')).toBe(429);
  expect(await guess('2001:db8:0:0:1:2:3:4')).toBe(429);
  expect(await guess('2001:db8:0:1::1')).toBe(401);
  expect(await guess('192.0.2.1')).toBe(401);
});
