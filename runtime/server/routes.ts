import type { Route } from '../../plugins/sdk/exchange.ts';

/** A modelled endpoint: its path after the gateway's `/v1`, what kind of call it is, and the wire it speaks. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Answered from the plan where that names models, and passed through where it does not. */
export const modelsRoute: Route = { operation: 'opaque' };

/** Every endpoint the gateway models. All else below `/v1` is passed through. */
const routeTable: readonly RouteRow[] = [
  { method: 'POST', path: '/chat/completions', route: { operation: 'converse', dialect: 'chat' } },
  { method: 'POST', path: '/messages', route: { operation: 'converse', dialect: 'messages' } },
  { method: 'POST', path: '/embeddings', route: { operation: 'embed', dialect: 'embeddings' } },
  { method: 'GET', path: '/models', route: modelsRoute },
];

/** Paths of the gateway's own control plane: they never reach a provider. */
const controlPaths: readonly RegExp[] = [/^\/prompts\/[^/]+\/render\/?$/, /^\/policies(\/|$)/];

/**
 * A segment that climbs, however it is spelt: a provider that follows it leaves the base path which its credential is
 * for. A fragment has no place in a request's target (RFC 9112 §3.2), and who reads it differs.
 */
const climbs: RegExp = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?=$|[/\\;]|%2f|%5c|%3b)|#/i;

/** What a method may not be: `TRACE` has an upstream send back the credential it was called with. */
const isEcho = (method: string): boolean => method === 'TRACE';

const isRefused = (pathname: string): boolean =>
  climbs.test(pathname) || controlPaths.some((control) => control.test(pathname));

/** Where a request goes: a route with the path a provider sees (query included), or nowhere. */
export interface RouteMatch {
  readonly route: Route;
  readonly path: string;
}

const opaque: Route = { operation: 'opaque' };
const modelled = new Map(routeTable.map((row) => [`${row.method} /v1${row.path}`, row.route]));

const base = '/v1';
const proxy = '/v1/proxy/';

/** The matches of targets that are written as they are in the table, by method: made once, since most are. */
const exact: ReadonlyMap<string, ReadonlyMap<string, RouteMatch>> = new Map(
  Object.entries(Object.groupBy(routeTable, ({ method }) => method)).map(([method, rows = []]) => [
    method,
    new Map(rows.map(({ path, route }) => [base + path, { route, path }])),
  ]),
);

/**
 * `url` is the request line's target. `undefined`: there is nothing at this path. A client that brings the version as
 * well as its base URL (Anthropic's with a base that ends in `/v1`) means the same endpoint.
 */
export const matchRoute = (method: string, url: string): RouteMatch | undefined => {
  const known = exact.get(method)?.get(url);
  if (known !== undefined) return known;
  if (!url.startsWith('/v1/') || url.length === 4) return undefined;
  const query = url.indexOf('?');
  const pathname = query === -1 ? url : url.slice(0, query);
  const versions = pathname.startsWith('/v1/v1/') ? 2 : 1;
  const route = modelled.get(`${method} ${pathname.slice(base.length * (versions - 1))}`);
  if (route !== undefined) return { route, path: url.slice(base.length * versions) };
  const path = url.slice(url.startsWith(proxy) ? proxy.length - 1 : base.length);
  const end = path.indexOf('?');
  const passed = end === -1 ? path : path.slice(0, end);
  return isEcho(method) || isRefused(passed) ? undefined : { route: opaque, path };
};
