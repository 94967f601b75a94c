import { CancellationSource } from '../../async/cancellation-source.ts';
import { Seeds } from '../../memory/seeds.ts';
import { healthPages } from '../../pages/health-pages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GatewayService } from '../service.ts';
import { closeAfterOffer } from './close-after-offer.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { requireHost } from './require-host.ts';
import type { OpenTransport } from './transport.ts';

export interface GatewayServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly service: Omit<GatewayService, 'gateway' | 'start'>;
  readonly clock: Clock;
  /** Over TLS; plain HTTP/1 if absent. */
  readonly secure?: OpenTransport | undefined;
}

/** A gateway that listens. */
export interface GatewayServer extends Listening {
  /**
   * As `Listening.drain`, for `ms` milliseconds in all; in the first `delayMs` of them (none by default, and never more
   * than `ms`) new connections are still answered, while `/readyz` says that the gateway is draining.
   */
  drain(ms: number, delayMs?: number): Promise<boolean>;
}

/** Serves a service over node:http. Rejects as `listen` does. */
export const startGatewayServer = async ({
  host,
  port,
  service,
  clock,
  secure,
}: GatewayServerOptions): Promise<GatewayServer> => {
  const {
    receive,
    clients,
    generations,
    memoryBudget,
    limits,
    guarded,
    identities,
    onRefused,
    storeStatus,
    alerts,
    overload,
    metrics,
  } = service;
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const timeIsUp = new CancellationSource();
  const multiplexed = requireHost(
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
        ...(alerts === undefined ? {} : { alerts }),
        ...(overload === undefined ? {} : { overload }),
        ...(metrics === undefined ? {} : { metrics }),
      }),
      generations,
      memoryBudget,
      clock,
      seeds: new Seeds(),
      draining,
      timeIsUp,
    }),
  );
  const listener = limitInFlight(closeAfterOffer(multiplexed));
  const listening = await listen({
    host,
    port,
    listener,
    headerBytes: limits.headerBytes,
    clock,
    onTimeUp: () => timeIsUp.cancel(),
    ...(secure === undefined ? {} : { secure: { open: secure, multiplexed, draining } }),
  });
  return {
    ...listening,
    drain: async (ms, delayMs = 0) => {
      isDraining = true;
      const delay = Math.min(delayMs, ms);
      if (delay > 0) await new Promise<void>((resolve) => void clock.after(delay, resolve));
      return listening.drain(ms - delay);
    },
  };
};
