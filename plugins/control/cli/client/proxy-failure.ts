import { isIP } from 'node:net';
import { type CommandFailure, runFailure } from '../command-line/services.ts';

const isError = (value: unknown): value is Error => value instanceof Error;

/** Lists an error and its causes; of several connection attempts, only the first. */
const causesOf = (error: unknown): readonly Error[] => {
  if (!isError(error)) return [];
  const cause = error instanceof AggregateError ? error.errors.find(isError) : error.cause;
  return [error, ...causesOf(cause)];
};

/** Checks whether an error is about a connection to another host or port than that of a URL. */
const isOfOther = (error: Error, { hostname, port, protocol }: URL): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '');
  if ('hostname' in error && error.hostname !== host) return true;
  if ('address' in error && isIP(host) !== 0 && error.address !== host) return true;
  // Node writes the port as a text if TLS has not started.
  return 'port' in error && Number(error.port) !== Number(port || (protocol === 'https:' ? 443 : 80));
};

/**
 * Describes why a proxy from the environment, which Node uses with NODE_USE_ENV_PROXY, did not reach a URL; undefined if the
 * error is not about a proxy. The proxy's address may contain a password and is not shown.
 */
export const findProxyFailure = (error: unknown, url: URL): CommandFailure | undefined => {
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const hint = `Correct ${variable}, or add ${url.hostname} to NO_PROXY.`;
  for (const cause of causesOf(error)) {
    const [, status] = /^Proxy response \((\d+)\)/.exec(cause.message) ?? [];
    if (status !== undefined)
      return runFailure(`The proxy for ${url.origin} does not connect to it (status ${status}).`, hint);
    if (isOfOther(cause, url) && 'code' in cause)
      return runFailure(`The proxy for ${url.origin} cannot be reached (${cause.code}).`, hint);
  }
  return undefined;
};
