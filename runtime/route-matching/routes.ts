import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import type { Route } from '../../plugins/sdk/exchange/exchange.ts';
import { canonicalPath } from '../../plugins/sdk/http/canonical-path.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { base } from '../../plugins/sdk/route/route-path.ts';
import { checkRoutes } from './check-routes.ts';
import { controlSegments } from './control-segments.ts';
import {
  absentControlRoute,
  type ControlRoute,
  controlRoute,
  declaredRoutes,
  rootRoutes,
  sharedControlRoute,
} from './declared-routes.ts';
import { normaliseSegment } from './normalise-segment.ts';
import { reservedSegments } from './reserved-segments.ts';
import { declaredMatch, keylessMatch, passedMatch, type RouteMatch } from './route-match.ts';
import { createRouteTable, hasFormOf, toFirstSegment } from './route-table.ts';
import { createSharedRoutes } from './shared-routes.ts';

/**
 * Matches a `..` segment in any spelling, because a provider that resolves it leaves the base path that the credential is for,
 * and a fragment, which a request's target may not contain (RFC 9112 §3.2) and which servers read differently.
 */
const climbs: RegExp = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?=$|[/\\;]|%2f|%5c|%3b)|#/i;

/** `TRACE` is refused, because an upstream would send back the credential that it was called with. */
const isEcho = (method: string): boolean => method === 'TRACE';

const opaque: Route = { operation: 'opaque' };

const proxy = '/v1/proxy/';

/** The prefixes of the path that a provider sees, repeated or not. */
const prefixes = /^\/v1(?:\/v1|\/proxy)*(?=\/)/;

/**
 * Matches the end of the base URL of OpenAI's API at services that have other APIs beside it, such as Groq, and Azure, whose
 * dated versions are in the query: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
const openaiBase = /^\/openai(?:\/v1)?(?=\/)/;

const targetParts = (url: string): { readonly pathname: string; readonly search: string } => {
  const query = url.indexOf('?');
  return query === -1 ? { pathname: url, search: '' } : { pathname: url.slice(0, query), search: url.slice(query) };
};

interface RootTarget {
  /** In canonical form. */
  readonly path: string;
  /** As received. */
  readonly pathname: string;
  readonly search: string;
}

/** The paths that the gateway knows. */
export interface Routes {
  /** `url` is the target of the request line. `undefined` if there is no such endpoint. */
  match(method: string, url: string): RouteMatch | undefined;
  /**
   * Returns a dialect of the API that a path belongs to, if the path is not an endpoint. Undefined if there is none, or if there
   * are several whose errors differ. If all paths of an API are below a model, only a path that ends like one of them belongs to
   * it.
   */
  dialectAt(pathname: string): DialectDeclaration | undefined;
}

/** Returns the endpoints that plugins declare. Throws a `PluginError` if two cannot be distinguished. */
export const createRoutes = (plugins: readonly Plugin[]): Routes => {
  const declared = declaredRoutes(plugins);
  const rooted = rootRoutes(plugins);
  checkRoutes([...declared, ...rooted]);
  const reserved = reservedSegments(plugins, declared);
  const dialects = new Map(
    plugins.flatMap((plugin) => (plugin.dialects ?? []).map((each) => [each.id, each] as const)),
  );
  const shared = createSharedRoutes(plugins);
  const rows = plugins.flatMap(({ routes = [] }) => routes);
  const atRoot = new Set<string>(rows.filter(({ isAtRoot = false }) => isAtRoot).map(({ path }) => path));
  const own = new Set([...reserved].map(normaliseSegment));
  const absent = new Set(controlSegments.map(normaliseSegment));
  const { exact, find, findFamily } = createRouteTable(declared.filter((route) => !shared.replaces(route)));
  const roots = createRouteTable(rooted);

  /** Returns the control plane's route if a first segment belongs to it. Null for a spelling that nobody answers. */
  const controlAt = (first: string): ControlRoute | null | undefined => {
    if (shared.isMisspelt(first)) return null;
    if (reserved.has(first)) return controlRoute;
    const plain = normaliseSegment(first);
    if (own.has(plain)) return null;
    return absent.has(plain) ? absentControlRoute : undefined;
  };

  /** Matches a path outside of the base: the APIs of dialects, and other spellings of the base. */
  const matchAtRoot = (method: string, { path, pathname, search }: RootTarget): RouteMatch | undefined => {
    const atRoot = roots.find(method, path, pathname) ?? roots.above(path);
    if (atRoot !== undefined) return declaredMatch(atRoot, search);
    const openai = openaiBase.exec(path)?.[0];
    return openai === undefined ? undefined : matchSlowly(method, base + path.slice(openai.length) + search);
  };

  const matchSlowly = (method: string, url: string): RouteMatch | undefined => {
    const { pathname, search } = targetParts(url);
    const known = exact.get(method)?.get(pathname);
    if (known !== undefined) return declaredMatch(known.found, search);
    if (atRoot.has(pathname)) return { route: controlRoute, path: url, url };
    if (climbs.test(pathname)) return undefined;
    const canonical = canonicalPath(pathname);
    const prefix = prefixes.exec(canonical)?.[0] ?? '';
    const path = canonical.slice(prefix.length);
    if (shared.has(method, path)) return { route: sharedControlRoute, path: path + search, url: base + path + search };
    const found = find(method, path, pathname);
    if (found !== undefined) return declaredMatch(found, search);
    if (prefix === '' && !url.startsWith(`${base}/`)) return matchAtRoot(method, { path, pathname, search });
    const first = toFirstSegment(path);
    const control = controlAt(first);
    if (control !== undefined)
      return control === null ? undefined : { route: control, path: path + search, url: base + path + search };
    if (!url.startsWith('/v1/') || url.length === 4) return undefined;
    // Unmodelled paths are passed on as received.
    const rest = url.slice(url.startsWith(proxy) ? proxy.length - 1 : base.length);
    return passedMatch({ route: opaque, path: rest, url }, findFamily(path)?.credentials ?? []);
  };

  const matchKeyless = (method: string, url: string): RouteMatch | undefined => {
    const match = matchSlowly(method, url);
    return match && keylessMatch(match);
  };

  return {
    match: (method, url) =>
      exact.get(method)?.get(url)?.match ?? (isEcho(method) ? undefined : matchKeyless(method, url)),
    dialectAt: (pathname) => {
      const path = canonicalPath(pathname).replace(prefixes, '');
      const family = findFamily(path);
      if (family === undefined || !hasFormOf([family, roots.findFamily(path)], path)) return undefined;
      const [first, ...others] = [...family.dialects].map((id) => dialects.get(id ?? ''));
      return others.every((other) => other?.encodeError === first?.encodeError) ? first : undefined;
    },
  };
};
