import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createRoutes, type Routes } from '../../routes/routes.ts';
import { knownHeaders } from '../headers/known-headers.ts';
import {
  type AcceptHeaders,
  type CheckHeaders,
  callerHeaderReader,
  type ReadCallerHeaders,
} from '../headers/read-caller-headers.ts';

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

/** The rules by which the headers of requests are read. */
export interface HeaderRules {
  /** `refuse` if absent. */
  readonly unknownHeaders?: UnknownHeaders | undefined;
  /** Reads them with a rule more, of which a request that breaks it is refused; there is none if absent. */
  readonly check?: CheckHeaders | undefined;
  /** How headers of another gateway's clients are read; they mean nothing if absent. */
  readonly accept?: AcceptHeaders | undefined;
}

/** The same without shared routes: what requests of plugins reach. The headers of these are their clients', which have been judged. */
export const createInnerClients = (plugins: readonly Plugin[]): Clients =>
  createClients(plugins.map(unshared), { unknownHeaders: 'ignore' });

/** Made once, when the gateway starts. Throws a `PluginError` if two dialects have one route. */
export const createClients = (
  plugins: readonly Plugin[],
  { unknownHeaders = 'refuse', check = (read) => read, accept }: HeaderRules = {},
): Clients => {
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? []);
  const headers = dialects.flatMap(({ clientCredentials }) => clientCredentials?.headers ?? []);
  const known = unknownHeaders === 'refuse' ? knownHeaders(plugins) : undefined;
  const read = callerHeaderReader(headers, known);
  const readHeaders = check(accept === undefined ? read : accept(read, known !== undefined));
  return { ...createRoutes(plugins), readHeaders, dialects };
};
