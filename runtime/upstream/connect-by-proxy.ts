import { connect as connectPlain, isIP, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { errorReport } from '../../schema/errors/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { TlsOptions } from './egress.ts';
import { EgressFailure, networkReason } from './network-report.ts';
import type { ProxyAddress } from './proxy-address.ts';
import { type Reply, readReply } from './read-reply.ts';

/** The value that undici uses for connections without a proxy. */
const keepAliveMs = 60_000;

/** Returns the error of a connection through a proxy. `reason` is the end of a sentence. */
const proxyFailure = (proxy: string, reason: string): EgressFailure =>
  new EgressFailure((host) => errorReport('proxy-failed', { host, proxy, reason: `${reason}.` }));

const refusal = (status: number, hasCredentials: boolean): string => {
  if (status !== 407) return `it refused to connect to that host (${status})`;
  return hasCredentials
    ? "it refused the gateway's user name and password (407)"
    : 'it requires a user name and a password (407)';
};

const readRefusal = (reply: Reply, { authorization }: ProxyAddress): string | undefined => {
  if ('problem' in reply) return reply.problem;
  const isOpen = reply.status >= 200 && reply.status < 300;
  return isOpen ? undefined : refusal(reply.status, authorization !== undefined);
};

/** Connects to the proxy itself. */
const openSocket = ({ hostname, port, isSecure }: ProxyAddress, tls: ByProxy['tls']): Socket => {
  if (!isSecure) return connectPlain({ host: hostname, port });
  const name = isIP(hostname) === 0 ? { servername: hostname } : {};
  return process
    .getBuiltinModule('node:tls')
    .connect({ host: hostname, port, ...name, ALPNProtocols: ['http/1.1'], ...tls() });
};

/** Returns the lines of a request for a tunnel. No other request contains the credentials of the proxy. */
const toRequest = ({ hostname, port, protocol }: buildConnector.Options, { authorization }: ProxyAddress): string => {
  const authority = `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, 'User-Agent: gatewright'];
  if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

export interface ByProxy {
  readonly proxy: ProxyAddress;
  /** Creates the options for a proxy that speaks TLS, with the authorities that may have issued its certificate. May throw. */
  readonly tls: () => TlsOptions;
  /** Opens the TLS connection to the host in the tunnel. */
  readonly secure: buildConnector.connector;
  /** The time-out of the whole connection, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * Connects to a host through a tunnel of a proxy (CONNECT, RFC 9110 §9.3.6), even if it is called without TLS, so that the
 * credentials of the proxy are never in a request for the host. Any failure at the proxy is an `EgressFailure` `proxy-failed`.
 * Failures of the TLS connection to the host are the same as without a proxy.
 */
export const connectByProxy = (
  target: buildConnector.Options,
  { proxy, tls, secure, timeoutMs, clock }: ByProxy,
  callback: buildConnector.Callback,
): void => {
  let isDone = false;
  let socket: Socket | undefined;
  const end = (...result: Parameters<buildConnector.Callback>): void => {
    if (isDone) return;
    isDone = true;
    stopTimer();
    if (result[0] !== null) socket?.destroy();
    callback(...result);
  };
  const fail = (reason: string): void => end(proxyFailure(proxy.host, reason), null);
  let step = 'it did not accept the connection in time';
  const stopTimer = clock.after(timeoutMs, () => fail(step));
  const onError = (error: unknown): void => fail(networkReason(error));
  const onClose = (): void => fail('it closed the connection');
  try {
    socket = openSocket(proxy, tls);
  } catch {
    fail('the authorities that the gateway trusts cannot be read');
    return;
  }
  const open = socket;
  open.setNoDelay(true).on('error', onError).on('close', onClose);
  open.once(proxy.isSecure ? 'secureConnect' : 'connect', () => {
    step = 'it did not answer in time';
    readReply(open, (reply) => {
      const refused = readRefusal(reply, proxy);
      if (refused !== undefined) {
        fail(refused);
        return;
      }
      // From here on, the connection in the tunnel reports the socket's errors.
      open
        .off('close', onClose)
        .off('error', onError)
        .on('error', () => {});
      if (target.protocol !== 'https:') {
        open.setKeepAlive(true, keepAliveMs);
        end(null, open);
        return;
      }
      step = 'the TLS connection to the host was not established in time';
      secure({ ...target, httpSocket: open }, end);
    });
    open.write(toRequest(target, proxy));
  });
};
