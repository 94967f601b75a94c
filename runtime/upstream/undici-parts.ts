import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { Client as ClientClass, buildConnector as Connector, errors as UndiciErrors } from 'undici';

const require = createRequire(import.meta.url);

// undici's index also loads fetch, WebSocket and its caches, which nothing here uses and which takes twice the time and 14 MB.
// These files are not part of its documented API, so a test checks that they are what the index exports.

export type Client = ClientClass;
export const Client: typeof ClientClass = require('undici/lib/dispatcher/client.js');
export const buildConnector: typeof Connector = require('undici/lib/core/connect.js');
export const errors: typeof UndiciErrors = require('undici/lib/core/errors.js');
export const symbols: { readonly kSocket: symbol; readonly kParser: symbol } = require('undici/lib/core/symbols.js');

/** Returns the socket of a client. Undefined while it is not connected. */
export const findSocket = (client: ClientClass): Socket | undefined => {
  const socket: unknown = Reflect.get(client, symbols.kSocket);
  return socket instanceof Socket ? socket : undefined;
};
