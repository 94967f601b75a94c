import { LRUCache } from 'lru-cache';
import type { Operation } from '../../../sdk/exchange/exchange.ts';
import { operationNames, providerName } from './gen-ai-names.ts';

/** The attributes of an address. */
type Address = { readonly 'server.address'?: string; readonly 'server.port'?: number };

/** Attributes according to the conventions of OpenTelemetry. */
export type DestinationFacts = Address & {
  readonly 'gen_ai.operation.name': string;
  readonly 'gen_ai.provider.name': string;
};

const addresses = new LRUCache<string, Address>({ max: 1000 });

const toAddress = (origin: string): Address => {
  const known = addresses.get(origin);
  if (known !== undefined) return known;
  const url = URL.parse(origin);
  const port = Number(url?.port || (url?.protocol === 'http:' ? 80 : 443));
  const address: Address = url === null ? {} : { 'server.address': url.hostname, 'server.port': port };
  addresses.set(origin, address);
  return address;
};

/** Returns what is known about the destination of an attempt before it is sent. */
export const destinationFacts = (operation: Operation, provider: string, origin: string): DestinationFacts => ({
  'gen_ai.operation.name': operationNames[operation],
  'gen_ai.provider.name': providerName(provider),
  ...toAddress(origin),
});
