import type { Provider } from '../../sdk/provider/provider.ts';

/** The credential's `api_key` in a header of this name, for services that take no bearer token; no header if there is none. */
export const keyInHeader =
  (name: string): Provider['headers'] =>
  ({ api_key: key }) =>
    key === undefined ? [] : [name, key];
