import { within } from '../../../plugins/sdk/time/within.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import { drainAfterAnswer } from '../../http/body/drain-body.ts';
import type { Connection } from '../../http/exchange/connection.ts';
import { hasSockets } from '../../http/exchange/http-exchange.ts';
import { isHandshake } from '../../http/exchange/refused-upgrade.ts';
import { Seeds } from '../../in-memory/seeds.ts';
import type { Clock } from '../../ports/clock.ts';
import { isControlRoute } from '../../route-matching/declared-routes.ts';
import { healthPages } from '../../status-pages/health-pages.ts';
import { type JoinReady, type ReadyFacts, readyFacts } from '../../status-pages/ready-facts.ts';
import type { ToFetchOptions } from '../fetch/to-fetch.ts';
import { RunningRequests } from '../running-requests.ts';
import type { GatewayService } from '../service.ts';
import { tlsClientNotes } from './bad-request.ts';
import { closeAfterDoubtful } from './close-after-doubtful.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { type ListenAddress, type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { requireHost } from './require-host.ts';
import type { OpenTransport } from './transport.ts';

export interface GatewayServerOptions extends ListenAddress {
  readonly service: Omit<GatewayService, 'gateway' | 'start'> & ToFetchOptions['service'];
  readonly clock: Clock;
  /** For TLS. If absent, plain HTTP/1. */
  readonly secure?: OpenTransport | undefined;
  /** Adds what other processes report to this process's `/readyz`. If absent, there are no others. */
  readonly joined?: JoinReady;
  /** Notifies the operator with one line. If absent, nobody is notified. */
  readonly log?: (text: string) => void;
}

/** A gateway that listens. */
export interface GatewayServer extends Listening {
  /**
   * Like `Listening.drain`, for `ms` milliseconds in total. In the first `delayMs` of them (none by default, and never more than
   * `ms`), new connections are still answered, while `/readyz` reports that the gateway is draining. Requests that are aborted
   * then have half a second to end.
   */
  drain(ms: number, delayMs?: number): Promise<boolean>;
  /** Makes answers end their connections from now on. */
  beginDrain(): void;
  /** Returns the facts of `/readyz` for this process alone. */
  readiness(): ReadyFacts;
}

/**
 * How many milliseconds requests have to end after their connections were closed. Plugins that record them, such as the log, are
 * closed after that.
 */
const abortedMs = 500;

/** Opens WebSockets for requests. Few clients have one, so the code is loaded for the first of them. */
const messageOpener =
  ({
    draining: isDraining,
    ...options
  }: ToFetchOptions & { readonly draining: () => boolean }): NonNullable<Connection['openMessages']> =>
  async (exchange, request) => {
    const [{ openResponseSocket }, { toFetch }] = await Promise.all([
      import('../response-sockets/open-response-socket.ts'),
      import('../fetch/to-fetch.ts'),
    ]);
    return openResponseSocket(exchange, request, { ...options, fetch: toFetch(options), isDraining });
  };

/** Serves a service over node:http. Rejects like `listen`. */
export const startGatewayServer = async ({
  host,
  port,
  handle,
  service,
  clock,
  secure,
  joined,
  log = () => {},
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
    consolePages,
    alerts,
    overload,
    metrics,
    cors,
  } = service;
  let isDraining = false;
  const draining = (): boolean => isDraining;
  const unanswered = new RunningRequests();
  const timeIsUp = new CancellationSource();
  const readiness = readyFacts({
    status: () => generations.status(),
    ...{ draining, clock, identities, storeStatus, alerts, overload },
  });
  const answered = requestListener({
    receive,
    unanswered,
    clients,
    healthPages: healthPages({
      clients,
      readiness: joined === undefined ? readiness : () => joined(readiness()),
      draining,
      guarded,
      consolePages,
      identities,
      onRefused,
      metrics,
    }),
    generations,
    memoryBudget,
    clock,
    seeds: new Seeds(),
    openMessages: messageOpener({ service, clock, draining, running: unanswered }),
    draining,
    timeIsUp,
  });
  const opened =
    cors?.serve(answered, {
      isForModels: (method, url) => {
        const route = clients.match(method, url)?.route;
        return route !== undefined && (!isControlRoute(route) || route.isShared);
      },
      drain: (response) => drainAfterAnswer(response, clock),
    }) ?? answered;
  const multiplexed = requireHost(opened, clock);
  const listener = limitInFlight({ listener: closeAfterDoubtful(multiplexed), draining });
  const listening = await listen({
    host,
    port,
    ...(handle === undefined ? {} : { handle }),
    listener,
    headerBytes: limits.headerBytes,
    clock,
    onTimeUp: () => timeIsUp.cancel(),
    mayOpenSocket: ({ method = 'GET', url = '/', rawHeaders }) => {
      const match = clients.match(method, url);
      if (match === undefined || !hasSockets(match.route)) return false;
      const caller = clients.readHeaders(rawHeaders);
      return isHandshake(method, caller) && !caller.hasBody;
    },
    onTlsClient: tlsClientNotes(clock, log),
    ...(secure === undefined ? {} : { secure: { open: secure, multiplexed, draining } }),
  });
  return {
    ...listening,
    readiness,
    beginDrain: () => {
      isDraining = true;
    },
    drain: async (ms, delayMs = 0) => {
      isDraining = true;
      const delay = Math.min(delayMs, ms);
      if (delay > 0) await new Promise<void>((resolve) => void clock.after(delay, resolve));
      const whole = await listening.drain(ms - delay);
      await within(clock, abortedMs, unanswered.none()).catch(() => {});
      return whole;
    },
  };
};
