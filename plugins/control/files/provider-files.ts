import { gatewayError } from '../../../schema/errors.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { isSuccess } from '../../../schema/status.ts';
import { withoutNames } from '../../sdk/header-lines.ts';
import type { GatewayResponse, RawHeaders } from '../../sdk/http.ts';
import type { ReceivedBody, RouteContext } from '../../sdk/route-row.ts';
import type { ControlParts } from '../control-parts.ts';
import { collected } from '../remote-ids/collected.ts';
import { type SharedAccount, sharedAccount } from '../remote-ids/shared-account.ts';
import { unknownFile } from './create-files.ts';
import type { FilesQuery } from './files-query.ts';

type Dispatching = Pick<RouteContext, 'dispatch' | 'headers' | 'principal' | 'tenant'>;

/** The files of providers: those of an account that workspaces share are shown to whoever made them. */
export interface ProviderFiles {
  create(context: Dispatching, received: ReceivedBody): Promise<GatewayResponse>;
  list(context: Dispatching, query: FilesQuery): Promise<GatewayResponse>;
  /** `rest` is what follows the id in the path. Rejects with the `GatewayError` `not-found`. */
  get(context: Dispatching, id: string, rest?: '' | '/content'): Promise<GatewayResponse>;
  remove(context: Dispatching, id: string): Promise<GatewayResponse>;
}

/** What a provider is asked for at once, at least: the rest of a page may be of other workspaces. */
const leastAtOnce = 100;
const usualLimit = 10_000;

/** An answer that is to be read must come as it is. */
const plainly = (headers: RawHeaders): RawHeaders => withoutNames(headers, ['accept-encoding']);

const withSuggestion = (answer: GatewayResponse): GatewayResponse => {
  if (answer.cause !== 'missing-provider') return answer;
  const suggestion =
    'Send x-gw-provider: gw for a file that the gateway keeps, or x-gw-virtual-key or x-gw-provider for one of a provider.';
  throw gatewayError('missing-provider', { suggestion });
};

const pathOf = (query: FilesQuery): string => {
  const members = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return members.length === 0 ? '/v1/files' : `/v1/files?${new URLSearchParams(members)}`;
};

const filesIn = (page: JsonObject): readonly JsonObject[] =>
  Array.isArray(page.data) ? page.data.filter((each) => isJsonObject(each)) : [];

const idOf = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');

export const createProviderFiles = ({
  remoteIds,
  viewOf,
}: Pick<ControlParts, 'remoteIds' | 'viewOf'>): ProviderFiles => {
  const accountOf = (context: Dispatching): Promise<SharedAccount | undefined> =>
    sharedAccount(context, async () => (await viewOf(context.tenant)).saved);

  const ask = async (
    { dispatch, headers, principal }: Dispatching,
    { method, path, received }: { readonly method: string; readonly path: string; readonly received?: ReceivedBody },
  ): Promise<GatewayResponse> =>
    withSuggestion(
      await dispatch({ method, path, headers, ...(received === undefined ? {} : { received }) }, principal),
    );

  /** One page of a workspace's own files, of as many pages of the account as that takes. */
  const listOwn = async (
    context: Dispatching,
    query: FilesQuery,
    { slug, headers }: SharedAccount,
  ): Promise<GatewayResponse> => {
    const plain = { ...context, headers: plainly(headers) };
    const limit = query.limit ?? usualLimit;
    const data: JsonObject[] = [];
    for (let after = query.after; ; ) {
      const from = after === undefined ? {} : { after };
      const path = pathOf({ ...query, ...from, limit: Math.max(limit, leastAtOnce) });
      const { answer, said } = await collected(await ask(plain, { method: 'GET', path }));
      if (said === undefined) return answer;
      const page = filesIn(said);
      const own = await remoteIds.among(context.tenant, 'file', page.map(idOf), slug);
      data.push(...page.filter((file) => own.has(idOf(file))));
      after = idOf(page.at(-1) ?? {});
      if (data.length <= limit && said.has_more === true && after !== '') continue;
      const shown = data.slice(0, limit);
      const ends = { first_id: shown[0]?.id ?? null, last_id: shown.at(-1)?.id ?? null };
      const body = { ...said, object: 'list', data: shown, has_more: data.length > limit, ...ends };
      return { ...answer, body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) } };
    }
  };

  /** The request as the data path takes it. Rejects with `not-found` for an id that is not the workspace's own. */
  const forOwn = async (context: Dispatching, id: string): Promise<Dispatching & { readonly isShared: boolean }> => {
    const account = await accountOf(context);
    if (account === undefined) return { ...context, isShared: false };
    const remote = await remoteIds.find(context.tenant, 'file', id);
    if (remote?.slug !== account.slug) throw unknownFile(id);
    return { ...context, headers: account.headers, isShared: true };
  };

  return {
    async create(context, received) {
      const account = await accountOf(context);
      const request = { method: 'POST', path: '/v1/files', received };
      if (account === undefined) return ask(context, request);
      const { slug, headers } = account;
      const { answer, said } = await collected(await ask({ ...context, headers: plainly(headers) }, request));
      const id = idOf(said ?? {});
      if (id !== '')
        await remoteIds.record(context.tenant, { kind: 'file', id, slug, createdBy: context.principal.keyId });
      return answer;
    },
    async list(context, query) {
      const account = await accountOf(context);
      return account === undefined
        ? ask(context, { method: 'GET', path: pathOf(query) })
        : listOwn(context, query, account);
    },
    async get(context, id, rest = '') {
      return ask(await forOwn(context, id), { method: 'GET', path: `/v1/files/${encodeURIComponent(id)}${rest}` });
    },
    async remove(context, id) {
      const own = await forOwn(context, id);
      const answer = await ask(own, { method: 'DELETE', path: `/v1/files/${encodeURIComponent(id)}` });
      const isGone = answer.origin === 'upstream' && isSuccess(answer.status);
      if (isGone && own.isShared) await remoteIds.forget(context.tenant, 'file', id);
      return answer;
    },
  };
};
