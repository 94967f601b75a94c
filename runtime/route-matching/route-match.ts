import type { Route } from '../../plugins/sdk/exchange/exchange.ts';
import { canonicalPath } from '../../plugins/sdk/http/canonical-path.ts';
import { base } from '../../plugins/sdk/route/route-path.ts';
import { hasServiceKey } from '../../schema/credentials/without-service-keys.ts';
import { errorReport, GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { type DeclaredRoute, isModelsRoute } from './declared-routes.ts';
import { takeCredential, withoutQueryKeys } from './query-credential.ts';

/** The route of a request, with the path that a provider sees (including the query). */
export interface RouteMatch {
  readonly route: Route;
  readonly path: string;
  /** The request's target as conditions and logs see it. For a declared route it is in canonical form. */
  readonly url: string;
  /** The client's credential, if the query contained it. `path` and `url` are without it. */
  readonly credential?: string | undefined;
  /** Why the request cannot be served. */
  readonly problem?: GatewayError | undefined;
}

/** The declaration of a path. */
export type Declared = Pick<DeclaredRoute, 'route' | 'framing' | 'modelInBody' | 'credentials'>;

/** The place where a request was found. */
export interface Found {
  readonly declared: Declared;
  /** In canonical form, below the base. */
  readonly path: string;
  /** The path for a provider, if it differs: there, the name of a saved provider is not part of the model. */
  readonly providerPath?: string | undefined;
  /** The model in the path. */
  readonly model?: string | undefined;
  /** Why the path cannot be used. */
  readonly error?: string | undefined;
}

/** A path that begins with its own version is only known with it. Every other path is below the base. */
const canonicalUrl = (path: string): string => (/^\/v\d/.test(path) ? path : base + path);

/** The characters that a header's value may have, because the credential will be in one. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const invalidPath = (reason: string): GatewayError => gatewayError('invalid-path', { reason });

/** Returns the members for a credential that was removed from a query. */
const credentialParts = (credential: string | undefined): Pick<RouteMatch, 'credential' | 'problem'> => {
  if (credential === undefined) return {};
  if (headerValue.test(credential)) return { credential };
  return { problem: invalidPath('the credential in the query contains characters that no header may have.') };
};

/** A plugin's function chooses the framing. If it throws, the answer is an error of the gateway. */
const framingParts = ({ route, framing }: Declared, search: string): Pick<RouteMatch, 'route' | 'problem'> => {
  if (framing === undefined) return { route };
  try {
    return { route: { ...route, framing: framing(new URLSearchParams(search)) } };
  } catch (error) {
    return { route, problem: new GatewayError(errorReport('internal-error', {}), { cause: error }) };
  }
};

/** Returns the member of a route that gets the model of its path. The model of a list is not one that is called. */
const modelMember = ({ route, modelInBody = false }: Declared): string =>
  isModelsRoute(route) ? 'listedModel' : modelInBody ? 'bodyModel' : 'model';

/** Matches a request for a declared route. `given` is its query, empty or with its `?`. */
export const declaredMatch = (
  { declared, path, providerPath = path, model, error }: Found,
  given: string,
): RouteMatch => {
  const { search, credential } = takeCredential(given, declared.credentials);
  const { route, problem } = framingParts(declared, search);
  return {
    route: model === undefined ? route : { ...route, [modelMember(declared)]: model },
    path: providerPath + search,
    url: canonicalUrl(path) + search,
    ...(problem === undefined ? {} : { problem }),
    ...credentialParts(credential),
    ...(error === undefined ? {} : { problem: invalidPath(error) }),
  };
};

/**
 * Matches a request for any other path. It is passed on exactly as received, without the credential of the API that it belongs
 * to.
 */
export const passedMatch = ({ route, path, url }: RouteMatch, credentials: readonly string[]): RouteMatch => {
  const query = credentials.length === 0 ? -1 : url.indexOf('?');
  if (query === -1) return { route, path, url };
  const { search, credential } = takeCredential(url.slice(query), credentials);
  return {
    route,
    path: path.slice(0, path.indexOf('?')) + search,
    url: url.slice(0, query) + search,
    ...credentialParts(credential),
  };
};

/**
 * Returns a match whose path and query contain no service key, whoever holds it, because they are sent to providers and written
 * to logs. A query member with a key is omitted. A path with a key is refused, because it would be another path without that
 * segment.
 */
export const keylessMatch = (match: RouteMatch): RouteMatch => {
  const { path, url } = match;
  const query = url.indexOf('?');
  const pathname = query === -1 ? url : url.slice(0, query);
  if (hasServiceKey(canonicalPath(pathname))) return { ...match, problem: gatewayError('service-key-in-path', {}) };
  return query === -1 ? match : { ...match, path: withoutQueryKeys(path), url: withoutQueryKeys(url) };
};
