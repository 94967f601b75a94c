import type { AllowedModels, SavedProvider } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { SavedPrices } from '../../../../schema/usage/model-price.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import type { GatewayResponse, RawHeaders } from '../../../sdk/http/http.ts';
import type { InternalRequest, RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { namedAccount } from './named-account.ts';
import { refuseDestination } from './refuse-destination.ts';

/** Headers of a client's request that its jobs' requests to providers have too. */
const names = [
  'anthropic-beta',
  'openai-beta',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-gw-metadata',
  'x-gw-request-timeout',
];

/** What a job passes on of the headers of a request: nothing that names a provider, a plan, or a credential. */
const passedHeaders = (headers: RawHeaders): RawHeaders => [
  ...onlyNames(headers, names),
  'accept-encoding',
  'identity',
];

/** What a job asks of a provider: a path below its base URL, or in the storage of its cloud, which is passed through. */
export type ProviderRequest = InternalRequest;

/** An account at a provider: a saved provider or virtual key of a workspace, as one request may use it. */
export interface Account {
  /** What it is called in the workspace, whichever of its names was used. */
  readonly slug: string;
  /** The id of its provider. */
  readonly provider: string;
  readonly settings: JsonObject;
  readonly saved: SavedProvider;
  /** Which models may be called; absent: all. */
  readonly models?: AllowedModels | undefined;
  /** What its models cost; absent: as elsewhere. */
  readonly prices?: SavedPrices | undefined;
  /** Of the request that uses it. */
  readonly headers: RawHeaders;
  /** The header that names it on the data path. */
  readonly lines: RawHeaders;
  /** Sends a request with its credential, through plan, limits, log and ledger. It never rejects: an error is an answer. */
  send(request: ProviderRequest): Promise<GatewayResponse>;
}

export interface AccountUse {
  readonly tenant: TenantId;
  /** Of a virtual key, or of a saved provider. */
  readonly name: string;
  /** Of the request that uses it. */
  readonly context: Pick<RouteContext, 'headers' | 'dispatch' | 'principal'>;
}

/**
 * The account of a workspace that has a name. Rejects with the `GatewayError`s `invalid-input` where there is none, and
 * `credential-origin-mismatch` where the request chooses a host.
 */
export const readAccount = async (
  { readView, catalogue }: Pick<ControlParts, 'readView' | 'catalogue'>,
  { tenant, name, context }: AccountUse,
): Promise<Account> => {
  const { saved } = await readView(tenant);
  const { slug, found, lines } = namedAccount(saved, name);
  refuseDestination(context.headers, slug);
  const passed = [...passedHeaders(context.headers), ...lines];
  return {
    ...{ slug, lines },
    provider: catalogue.providers.get(found.provider)?.id ?? found.provider,
    settings: found.settings ?? {},
    saved: found,
    models: found.models,
    prices: found.prices,
    headers: context.headers,
    send: ({ headers = [], ...request }) =>
      context.dispatch(
        {
          ...request,
          path: request.isStorage === true ? request.path : `/v1${request.path}`,
          headers: [...passed, ...headers],
        },
        context.principal,
      ),
  };
};
