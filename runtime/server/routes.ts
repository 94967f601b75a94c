import type { Route } from '../../plugins/sdk/exchange.ts';
import { canonicalPath } from './canonical-path.ts';

/** A modelled endpoint: its path after the gateway's `/v1`, what kind of call it is, and the wire it speaks. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly route: Route;
}

/** Answered from the plan if it names models, and passed through if not. */
export const modelsRoute: Route = { operation: 'opaque' };

/** Every endpoint the gateway models. All else below `/v1` is passed through. */
const routeTable: readonly RouteRow[] = [
  { method: 'POST', path: '/chat/completions', route: { operation: 'converse', dialect: 'chat' } },
  { method: 'POST', path: '/messages', route: { operation: 'converse', dialect: 'messages' } },
  { method: 'POST', path: '/completions', route: { operation: 'complete', dialect: 'completions' } },
  { method: 'POST', path: '/embeddings', route: { operation: 'embed', dialect: 'embeddings' } },
  { method: 'GET', path: '/models', route: modelsRoute },
];

/** Paths of the gateway's own control plane: they never reach a provider. */
const controlPaths: readonly RegExp[] = [/^\/prompts\/[^/]+\/render$/, /^\/policies(\/|$)/];

/**
 * A `..` segment in any spelling: a provider that resolves it leaves the base path that the credential is for. A fragment
 * is not allowed in a request's target (RFC 9112 §3.2), and servers differ in how they read it.
 */
const climbs: RegExp = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?=$|[/\\;]|%2f|%5c|%3b)|#/i;

/** `TRACE` is refused: it makes an upstream send back the credential that it was called with. */
const isEcho = (method: string): boolean => method === 'TRACE';

/** The route of a request, with the path that a provider sees (query included). */
export interface RouteMatch {
  readonly route: Route;
  readonly path: string;
  /** The request's target as conditions and logs see it: in canonical form for a modelled operation. */
  readonly url: string;
}

const opaque: Route = { operation: 'opaque' };

const base = '/v1';
const proxy = '/v1/proxy/';

type Matches = ReadonlyMap<string, RouteMatch>;

/**
 * The modelled operations by method and target. Anthropic's clients bring the version as well as a base URL that ends in
 * it: both spellings are found at once, and their matches are made only once, since nearly every request is one.
 */
const modelled: ReadonlyMap<string, Matches> = new Map(
  Array.from(
    Map.groupBy(routeTable, ({ method }) => method),
    ([method, rows]): [string, Matches] => [
      method,
      new Map(
        rows.flatMap(({ path, route }) =>
          [base, base + base].map((prefix) => [prefix + path, { route, path, url: base + path }] as const),
        ),
      ),
    ],
  ),
);

/** The prefixes of the path that a provider sees, repeated or not. */
const prefixes = /^\/v1(?:\/v1|\/proxy)*(?=\/)/;

/** The path that a provider sees, in canonical form; undefined outside of `/v1`. */
const providerPath = (pathname: string): string | undefined => {
  const path = canonicalPath(pathname);
  const prefix = prefixes.exec(path)?.[0];
  return prefix === undefined ? undefined : path.slice(prefix.length);
};

const isControl = (path: string): boolean => controlPaths.some((control) => control.test(path));

/** Unmodelled paths are passed on exactly as received. */
const passedThrough = (url: string): RouteMatch | undefined => {
  const path = url.slice(url.startsWith(proxy) ? proxy.length - 1 : base.length);
  const end = path.indexOf('?');
  return climbs.test(end === -1 ? path : path.slice(0, end)) ? undefined : { route: opaque, path, url };
};

const withSearch = ({ route, path, url }: RouteMatch, search: string): RouteMatch => ({
  route,
  path: path + search,
  url: url + search,
});

/** `url` is the request line's target. `undefined`: there is no such endpoint. */
export const matchRoute = (method: string, url: string): RouteMatch | undefined => {
  const matches = modelled.get(method);
  const exact = matches?.get(url);
  if (exact !== undefined) return exact;
  const query = url.indexOf('?');
  const pathname = query === -1 ? url : url.slice(0, query);
  const search = query === -1 ? '' : url.slice(query);
  const path = providerPath(pathname);
  const known = matches?.get(pathname) ?? (path === undefined ? undefined : matches?.get(base + path));
  if (known !== undefined) return withSearch(known, search);
  if (!url.startsWith('/v1/') || url.length === 4 || isEcho(method)) return undefined;
  return path !== undefined && isControl(path) ? undefined : passedThrough(url);
};
