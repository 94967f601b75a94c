import type { Clock } from '../ports/clock.ts';
import { healthPages } from './health-pages.ts';
import { type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { Seeds } from './seeds.ts';
import type { GatewayService } from './service.ts';

export interface GatewayServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly service: Omit<GatewayService, 'gateway'>;
  readonly clock: Clock;
}

/** Opens a service to node:http. Rejects as `listen` does. */
export const startGatewayServer = async ({ host, port, service, clock }: GatewayServerOptions): Promise<Listening> => {
  const { receive, generations, memoryBudget, limits, guarded } = service;
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const listener = requestListener({
    receive,
    healthPages: healthPages({ status: () => generations.status(), draining, guarded }),
    generations,
    memoryBudget,
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
