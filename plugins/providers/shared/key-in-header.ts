import type { Provider } from '../../sdk/provider/provider.ts';

/**
 * Sends the credential's `api_key` in a header of this name, for services that accept no bearer token. Sends no header if there
 * is no key.
 */
export const keyInHeader =
  (name: string): Provider['headers'] =>
  ({ api_key: key }) =>
    key === undefined ? [] : [name, key];
