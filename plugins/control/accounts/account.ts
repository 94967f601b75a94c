import { gatewayError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Saved, SavedProvider } from '../../../schema/saved.ts';
import type { Principal } from '../../sdk/exchange.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../sdk/http.ts';
import type { Dispatch, InternalRequest } from '../../sdk/route-row.ts';
import { passedHeaders } from './passed-headers.ts';

/** What a job asks of a provider: a path below its base URL, or in the storage of its cloud, which is passed through. */
export type ProviderRequest = InternalRequest;

/** An account at a provider: a saved provider or virtual key of a workspace, as one request may use it. */
export interface Account {
  /** What it is called in the workspace, whichever of its names was used. */
  readonly slug: string;
  /** The id of its provider. */
  readonly provider: string;
  readonly settings: JsonObject;
  /** Of the request that names it. */
  readonly headers: RawHeaders;
  /** Sends a request with its credential, through plan, limits, log and ledger. It never rejects: an error is an answer. */
  send(request: ProviderRequest): Promise<GatewayResponse>;
}

export interface AccountOptions {
  /** What the workspace has saved. */
  readonly saved: Saved;
  /** Of the request that names the account. */
  readonly headers: RawHeaders;
  readonly dispatch: Dispatch;
  readonly principal: Principal;
  /** The id of a provider, of any of its names. */
  readonly providerId: (name: string) => string;
}

const header = 'x-gw-virtual-key';

const invalid = (reason: string, by: string = header) => gatewayError('invalid-header', { header: by, reason });

export interface NamedAccount {
  readonly slug: string;
  readonly found: SavedProvider;
  /** The header that names it on the data path. */
  readonly lines: RawHeaders;
}

/** The first of the names of a thing is its slug. */
const slugOf = (things: Saved['providers'], found: SavedProvider, name: string): string =>
  Object.keys(things).find((each) => things[each] === found) ?? name;

/**
 * The virtual key, or else the provider, that a name stands for, which the header `by` has. Throws the `GatewayError`
 * `invalid-header` where there is none.
 */
export const namedAccount = ({ virtualKeys, providers }: Saved, name: string, by: string = header): NamedAccount => {
  const virtualKey = Object.hasOwn(virtualKeys, name) ? virtualKeys[name] : undefined;
  if (virtualKey !== undefined)
    return { slug: slugOf(virtualKeys, virtualKey, name), found: virtualKey, lines: [header, name] };
  const slug = name.startsWith('@') ? name.slice(1) : name;
  const found = Object.hasOwn(providers, slug) ? providers[slug] : undefined;
  if (found === undefined)
    throw invalid(
      `this workspace has neither a virtual key nor a provider that is called "${name.slice(0, 255)}".`,
      by,
    );
  return { slug: slugOf(providers, found, slug), found, lines: ['x-gw-provider', `@${slug}`] };
};

/**
 * The account that the header x-gw-virtual-key of a request names: a virtual key, or the slug of a provider. Throws the
 * `GatewayError` `invalid-header` where it names none.
 */
export const accountOf = ({ saved, headers, dispatch, principal, providerId }: AccountOptions): Account => {
  const name = headerValue(headers, header);
  if (name === undefined || name === '')
    throw invalid('it is missing. It names the virtual key or the provider of the account that has the jobs.');
  const { slug, found, lines } = namedAccount(saved, name);
  const passed = [...passedHeaders(headers), ...lines];
  return {
    slug,
    provider: providerId(found.provider),
    settings: found.settings ?? {},
    headers,
    send: ({ headers: more = [], ...request }) =>
      dispatch(
        {
          ...request,
          path: request.isStorage === true ? request.path : `/v1${request.path}`,
          headers: [...passed, ...more],
        },
        principal,
      ),
  };
};
