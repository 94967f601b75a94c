import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createRoutes, type Routes } from '../../route-matching/routes.ts';
import { knownHeaders } from '../headers/known-headers.ts';
import {
  type AcceptHeaders,
  type CheckHeaders,
  callerHeaderReader,
  type ReadCallerHeaders,
} from '../headers/read-caller-headers.ts';

/**
 * The routes and headers by which dialects identify their clients: the paths that they call, and the headers with their
 * credentials.
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

/** The rules for reading the headers of requests. */
export interface HeaderRules {
  /** Default: `refuse`. */
  readonly unknownHeaders?: UnknownHeaders | undefined;
  /** Reads the headers with an additional rule. A request that breaks it is refused. If absent, there is none. */
  readonly check?: CheckHeaders | undefined;
  /** Reads the headers of another gateway's clients. If absent, these have no meaning. */
  readonly accept?: AcceptHeaders | undefined;
}

/**
 * Like `createClients`, but without shared routes, for requests of plugins. The headers of these are their clients', which have
 * already been judged.
 */
export const createInnerClients = (plugins: readonly Plugin[]): Clients =>
  createClients(plugins.map(unshared), { unknownHeaders: 'ignore' });

/** Called once, when the gateway starts. Throws a `PluginError` if two dialects have the same route. */
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
