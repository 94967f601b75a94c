import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import { withoutNames } from '../../../../sdk/http/header-lines.ts';
import type { GatewayResponse } from '../../../../sdk/http/http.ts';
import type { JsonReply, RouteContext } from '../../../../sdk/route/route-row.ts';
import { isOwnId, isProviderId } from './answer-form.ts';
import { tooLongChain, unfinishedPrevious, unknownPrevious, unknownResponse } from './asked-response.ts';
import type { Chain, StoredResponse, StoredResponses } from './stored-responses.ts';

/** A request for one response. */
export interface OneResponse {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly id: string;
  /** Behind the id: `/input_items`; empty for the response itself. */
  readonly rest: string;
  readonly query: JsonObject;
}

/** Writes a query as text, with its `?`; empty if there is none. */
export const readSearch = (query: JsonObject): string => {
  const members = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return members.length === 0 ? '' : `?${new URLSearchParams(members)}`;
};

const toPath = ({ id, rest, query }: OneResponse): string =>
  `/v1/responses/${encodeURIComponent(id)}${rest}${readSearch(query)}`;

/** Asks a provider that has a response; absent: the one that the request names. */
export const askProvider = (
  request: OneResponse,
  { dispatch, headers, principal }: RouteContext,
  slug?: string,
): Promise<GatewayResponse> =>
  dispatch(
    {
      method: request.method,
      path: toPath(request),
      headers: slug === undefined ? headers : [...withoutNames(headers, destinations), 'x-gw-provider', `@${slug}`],
    },
    principal,
  );

const destinations = ['x-gw-provider', 'x-gw-virtual-key', 'x-gw-config'];

/** Checks whether a request was refused because nothing says where it goes. */
export const namesNone = ({ cause }: GatewayResponse): boolean =>
  cause === 'missing-provider' || cause === 'missing-default-config';

/** Checks whether no provider may be asked for an id: it is the gateway's own, no id, or that of another workspace. */
const isNobodys = async (kept: Pick<StoredResponses, 'isOfAnother'>, tenant: TenantId, id: string): Promise<boolean> =>
  isOwnId(id) || !isProviderId(id) || kept.isOfAnother(tenant, id);

/** Asks the provider that a request names for a response that is not stored here. Throws the `GatewayError` `not-found`. */
export const askNamed = async (
  kept: Pick<StoredResponses, 'isOfAnother'>,
  request: OneResponse,
  context: RouteContext,
): Promise<GatewayResponse> => {
  const { id } = request;
  if (await isNobodys(kept, context.tenant, id)) throw unknownResponse(id);
  const answer = await askProvider(request, context);
  if (namesNone(answer)) throw unknownResponse(id);
  return answer;
};

/** Finds the slug of the provider that has a response too. */
export const nativeSlug = ({ isNative, maker }: StoredResponse): string | undefined =>
  isNative ? maker?.slug : undefined;

/**
 * Reads what a request continues; of a chain that is not whole only the provider of its last response can know all, and where
 * undefined nobody else anything. Resolves to the refusal where it cannot be continued.
 */
export const readContinued = async (
  kept: Pick<StoredResponses, 'chain' | 'isOfAnother'>,
  tenant: TenantId,
  id: string | undefined,
): Promise<Chain | JsonReply | undefined> => {
  if (id === undefined) return undefined;
  const chain = await kept.chain(tenant, id);
  if (chain === 'too-long') return tooLongChain(id);
  if (chain === undefined) return (await isNobodys(kept, tenant, id)) ? unknownPrevious(id) : undefined;
  const last = chain.links.at(-1);
  if (last?.response.status === 'in_progress') return unfinishedPrevious(id);
  return chain.isWhole || last?.isNative === true ? chain : unknownPrevious(id);
};
