import { CancellationSource } from '../cancellation-source.ts';
import type { Clock } from '../ports/clock.ts';
import { healthPages } from './health-pages.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { requireHost } from './require-host.ts';
import { Seeds } from './seeds.ts';
import type { GatewayService } from './service.ts';

export interface GatewayServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly service: Omit<GatewayService, 'gateway' | 'start'>;
  readonly clock: Clock;
}

/** Serves a service over node:http. Rejects as `listen` does. */
export const startGatewayServer = async ({ host, port, service, clock }: GatewayServerOptions): Promise<Listening> => {
  const { receive, clients, generations, memoryBudget, limits, guarded, identities, onRefused, storeStatus, metrics } =
    service;
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const timeIsUp = new CancellationSource();
  const listener = limitInFlight(
    requireHost(
      requestListener({
        receive,
        clients,
        healthPages: healthPages({
          clients,
          status: () => generations.status(),
          draining,
          guarded,
          clock,
          ...(identities === undefined ? {} : { identities }),
          ...(onRefused === undefined ? {} : { onRefused }),
          ...(storeStatus === undefined ? {} : { storeStatus }),
          ...(metrics === undefined ? {} : { metrics }),
        }),
        generations,
        memoryBudget,
        clock,
        seeds: new Seeds(),
        draining,
        timeIsUp,
      }),
    ),
  );
  const listening = await listen({
    host,
    port,
    listener,
    headerBytes: limits.headerBytes,
    clock,
    onTimeUp: () => timeIsUp.cancel(),
  });
  return {
    ...listening,
    drain: (ms) => {
      isDraining = true;
      return listening.drain(ms);
    },
  };
};
