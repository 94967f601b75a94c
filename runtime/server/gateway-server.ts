import type { Clock } from '../ports/clock.ts';
import type { House } from './house.ts';
import { type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { Seeds } from './seeds.ts';
import { site } from './site.ts';

export interface GatewayServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly house: Omit<House, 'gateway'>;
  readonly clock: Clock;
}

/** Opens a house to node:http. Rejects as `listen` does. */
export const startGatewayServer = async ({ host, port, house, clock }: GatewayServerOptions): Promise<Listening> => {
  const { handle, generations, admission, limits, guarded } = house;
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const listener = requestListener({
    handle,
    site: site({ status: () => generations.status(), draining, guarded }),
    generations,
    admission,
    clock,
    seeds: new Seeds(),
    draining,
  });
  const listening = await listen({ host, port, listener, headerBytes: limits.headerBytes, clock });
  return {
    ...listening,
    drain: (ms) => {
      isDraining = true;
      return listening.drain(ms);
    },
  };
};
