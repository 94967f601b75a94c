import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createRoutes, type Routes } from '../../routes/routes.ts';
import { knownHeaders } from '../headers/known-headers.ts';
import { type AcceptHeaders, callerHeaderReader, type ReadCallerHeaders } from '../headers/read-caller-headers.ts';

/**
 * The routes and headers by which the dialects know their clients: which paths they call, and where they present their
 * credential.
 */
export interface Clients extends Routes {
  readonly readHeaders: ReadCallerHeaders;
  /** In the order in which their plugins are loaded. */
  readonly dialects: readonly DialectDeclaration[];
}

const unshared = (plugin: Plugin): Plugin => {
  const { routes } = plugin;
  return routes === undefined ? plugin : { ...plugin, routes: routes.filter(({ shared = false }) => !shared) };
};

/** The treatment of requests with an unknown header that has the gateway's prefix. */
export type UnknownHeaders = 'refuse' | 'ignore';

/** The same without shared routes: what requests of plugins reach. The headers of these are their clients', which have been judged. */
export const createInnerClients = (plugins: readonly Plugin[]): Clients =>
  createClients(plugins.map(unshared), 'ignore');

/**
 * Made once, when the gateway starts; with `accept`, headers of another gateway's clients are read too. Throws a `PluginError` if
 * two dialects have one route.
 */
export const createClients = (
  plugins: readonly Plugin[],
  unknownHeaders: UnknownHeaders = 'refuse',
  accept?: AcceptHeaders,
): Clients => {
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? []);
  const headers = dialects.flatMap(({ clientCredentials }) => clientCredentials?.headers ?? []);
  const known = unknownHeaders === 'refuse' ? knownHeaders(plugins) : undefined;
  const read = callerHeaderReader(headers, known);
  const readHeaders = accept === undefined ? read : accept(read, known !== undefined);
  return { ...createRoutes(plugins), readHeaders, dialects };
};
