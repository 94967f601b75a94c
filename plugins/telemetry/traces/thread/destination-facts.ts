import { LRUCache } from 'lru-cache';
import type { AttemptRecord } from '../records.ts';
import { operationNames, providerName } from './gen-ai-names.ts';

/** The attributes of a span or of a measurement, by the conventions of OpenTelemetry. */
export type Facts = Record<string, string | number>;

const addresses = new LRUCache<string, Facts>({ max: 1000 });

const addressOf = (origin: string): Facts => {
  const known = addresses.get(origin);
  if (known !== undefined) return known;
  const url = URL.parse(origin);
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 443));
  const address: Facts = url === null ? {} : { 'server.address': url.hostname, 'server.port': port };
  addresses.set(origin, address);
  return address;
};

/** Where an attempt goes: what is known before it is sent. */
export const destinationFacts = ([, , , , operation, provider, origin]: AttemptRecord): Facts => ({
  'gen_ai.operation.name': operationNames[operation],
  'gen_ai.provider.name': providerName(provider),
  ...addressOf(origin),
});
