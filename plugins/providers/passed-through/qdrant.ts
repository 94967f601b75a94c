import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { keyInHeader } from '../shared/key-in-header.ts';

/** Returns the path without its first segment `qdrant`, which clients add because the gateway itself serves `/v1/collections`. */
const withoutName = (path: string): string => path.replace(/^\/qdrant(?=\/)/, '');

/** Callers read and write points. Collections, their aliases, indexes and snapshots belong to all callers. */
const changes = onlyAllows(
  ({ segments: [first, collection, part] }) =>
    first === 'collections' && collection !== undefined && (part === 'points' || part === 'facet'),
);

/**
 * https://api.qdrant.tech/api-reference. It has no default address, so a target specifies its host
 * (`custom_host: "http://127.0.0.1:6333"`). Clients call `/v1/qdrant/collections/…`.
 */
export const qdrant: Provider = defineProvider({
  id: 'qdrant',
  documentation: 'https://api.qdrant.tech/api-reference',
  credential: 'optional',
  speaks: {},
  headers: keyInHeader('api-key'),
  passThrough: withoutName,
  changesAccount: ({ method, path }) => changes({ method, path: withoutName(path) }),
});
