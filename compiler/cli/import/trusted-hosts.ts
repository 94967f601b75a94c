import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CommandServices } from '../command-line/services.ts';
import type { Draft } from './draft/draft.ts';

/** Returns the URLs at which targets and saved providers of a value are called. */
const customHosts = (value: Json | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => customHosts(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'custom_host' && typeof member === 'string' ? [member] : customHosts(member),
  );
};

/** Returns the host with its port, because a host without one would be trusted at all its ports. */
const withPort = (baseUrl: string): string => {
  const { host, port, protocol } = new URL(baseUrl);
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
};

/**
 * Lists hosts of private networks in the gateway file, because nothing is sent to them otherwise. The imported file belongs to
 * the operator, who named them. Returns the listed hosts.
 */
export const trustOwnHosts = async (
  { configs, gateway }: Draft,
  { findHostError }: Pick<CommandServices, 'findHostError'>,
): Promise<readonly string[]> => {
  const own = new Set<string>();
  for (const url of customHosts([gateway, ...configs.values()]))
    if ((await findHostError(url))?.listable === true) own.add(withPort(url));
  const trusted = [...own].toSorted();
  if (trusted.length > 0) gateway.trusted_hosts = trusted;
  return trusted;
};
