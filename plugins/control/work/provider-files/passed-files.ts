import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { withoutNames } from '../../../sdk/http/header-lines.ts';
import type { GatewayResponse, RawHeaders } from '../../../sdk/http/http.ts';
import type { ReceivedBody } from '../../../sdk/route/route-row.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { unknownFile } from '../files/create-files.ts';
import type { FilesQuery } from '../files/files-query.ts';
import type { AccountFiles, FilesContext } from './account-files.ts';
import { collected } from './collected.ts';
import type { SharedAccount } from './shared-account.ts';

/** What a provider is asked for at once, at least: the rest of a page may be of other workspaces. */
const leastAtOnce = 100;
const defaultLimit = 10_000;

/** An answer that is to be read must come as it is. */
const plainly = (headers: RawHeaders): RawHeaders => withoutNames(headers, ['accept-encoding']);

const withSuggestion = (answer: GatewayResponse): GatewayResponse => {
  if (answer.cause !== 'missing-provider') return answer;
  const suggestion =
    'Send x-gw-provider: gw for a file that the gateway keeps, or x-gw-virtual-key or x-gw-provider for one of a provider.';
  throw gatewayError('missing-provider', { suggestion });
};

const readPath = (query: FilesQuery): string => {
  const members = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return members.length === 0 ? '/v1/files' : `/v1/files?${new URLSearchParams(members)}`;
};

const readId = ({ id }: JsonObject): string => findText(id) ?? '';

interface Passing {
  readonly parts: Pick<WorkParts, 'accountIds' | 'remoteIds'>;
  readonly context: FilesContext;
  /** Undefined where the caller uses a credential of its own. */
  readonly account: SharedAccount | undefined;
}

interface FilesRequest {
  readonly method: string;
  readonly path: string;
  readonly received?: ReceivedBody;
}

/** Files whose requests are passed on: those of an account that workspaces share are shown to whoever made them. */
export const passedFiles = ({ parts: { accountIds, remoteIds }, context, account }: Passing): AccountFiles => {
  const { tenant, dispatch, principal } = context;
  const headers = account?.headers ?? context.headers;

  const ask = async (request: FilesRequest, lines: RawHeaders = headers): Promise<GatewayResponse> =>
    withSuggestion(await dispatch({ ...request, headers: lines }, principal));

  /** One page of a workspace's own files, of as many pages of the account as that takes. */
  const listOwn = async (query: FilesQuery, { slug }: SharedAccount): Promise<GatewayResponse> => {
    const limit = query.limit ?? defaultLimit;
    const data: JsonObject[] = [];
    for (let after = query.after; ; ) {
      const from = after === undefined ? {} : { after };
      const path = readPath({ ...query, ...from, limit: Math.max(limit, leastAtOnce) });
      const { answer, said } = await collected(await ask({ method: 'GET', path }, plainly(headers)));
      if (said === undefined) return answer;
      const page = toObjects(said.data);
      const own = await remoteIds.among(tenant, 'file', page.map(readId), slug);
      data.push(...page.filter((file) => own.has(readId(file))));
      after = readId(page.at(-1) ?? {});
      if (data.length <= limit && said.has_more === true && after !== '') continue;
      const shown = data.slice(0, limit);
      const ends = { first_id: shown[0]?.id ?? null, last_id: shown.at(-1)?.id ?? null };
      const body = { ...said, object: 'list', data: shown, has_more: data.length > limit, ...ends };
      return { ...answer, body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) } };
    }
  };

  /** The path of a file. Rejects with `not-found` for an id that may not be asked for in an account that workspaces share. */
  const ownPath = async (id: string): Promise<string> => {
    if (account !== undefined && !(await accountIds.mayAsk({ tenant, kind: 'file', account, id })))
      throw unknownFile(id);
    return `/v1/files/${encodeURIComponent(id)}`;
  };

  return {
    async create(received) {
      const request = { method: 'POST', path: '/v1/files', received };
      if (account === undefined) return ask(request);
      const { answer, said } = await collected(await ask(request, plainly(headers)));
      const id = readId(said ?? {});
      if (id !== '')
        await remoteIds.record(tenant, { kind: 'file', id, slug: account.slug, createdBy: principal.keyId });
      return answer;
    },
    list: (query) => (account === undefined ? ask({ method: 'GET', path: readPath(query) }) : listOwn(query, account)),
    get: async (id) => ask({ method: 'GET', path: await ownPath(id) }),
    content: async (id) => ask({ method: 'GET', path: `${await ownPath(id)}/content` }),
    async remove(id) {
      const answer = await ask({ method: 'DELETE', path: await ownPath(id) });
      const isGone = answer.origin === 'upstream' && isSuccess(answer.status);
      if (isGone && account !== undefined) await remoteIds.forget(tenant, 'file', id);
      return answer;
    },
  };
};
