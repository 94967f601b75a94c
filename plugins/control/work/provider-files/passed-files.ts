import type { Saved, SavedProvider } from '../../../../schema/config/saved.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import type { KeptExchange } from '../../../sdk/exchange/exchange.ts';
import { withoutNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import type { ReceivedBody, RouteContext } from '../../../sdk/route/route-row.ts';
import { orUndo } from '../../kernel/records/records.ts';
import { pageBody } from '../../kernel/requests/replies.ts';
import { unknownFile } from '../files/create-files.ts';
import type { FilesQuery } from '../files/file-content.ts';
import { namedAccount } from '../provider-requests/account.ts';
import { answerBytes } from '../provider-requests/answer-bytes.ts';
import { unreadableAnswer } from '../provider-requests/request-json.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import type { AccountFiles, FilesContext } from './account-files.ts';

/** An account that workspaces may share, because its credential is the gateway's. */
interface SharedAccount {
  /** The same value as `RemoteId.slug`: that of a saved provider or virtual key, or `config:` and a label if a config decides. */
  readonly slug: string;
  /** The name of the saved record, unless a config decides. */
  readonly name?: string;
  /** The saved record, unless a config decides. */
  readonly saved?: SavedProvider;
  /** The headers of the request, in the form that the data path takes. */
  readonly headers: RawHeaders;
}

type Asking = Pick<RouteContext, 'headers' | 'principal'>;

/** Returns a label for a config: the hash of its JSON, or its name. */
const configLabel = (config: string): string => (/^\s*[{["]/.test(config) ? hashValue(config) : config.trim());

/** Finds the name of the record that a request names, and the header that names it. */
const savedName = (headers: RawHeaders): { readonly header: string; readonly name: string } | undefined => {
  const virtualKey = headerValue(headers, 'x-gw-virtual-key');
  if (virtualKey !== undefined) return { header: 'x-gw-virtual-key', name: virtualKey };
  const provider = headerValue(headers, 'x-gw-provider');
  if (provider === undefined || savedSlug(provider) === undefined) return undefined;
  return { header: 'x-gw-provider', name: provider };
};

/** Checks whether callers use their own credential. Keys of the gateway file are in no workspace and share nothing. */
const isOwn = ({ headers, principal: { organisation, defaults } }: Asking): boolean => {
  if (organisation === undefined) return true;
  const isForced = defaults?.config !== undefined && defaults.allowConfigOverride === false;
  const isBare = headerValue(headers, 'x-gw-config') === undefined && savedName(headers) === undefined;
  return isBare && !isForced && headerValue(headers, 'x-gw-provider') !== undefined;
};

/**
 * Finds the account that a request reaches with a credential of the gateway; undefined if it uses another credential. A provider
 * can be named by x-gw-virtual-key too. Rejects with the `GatewayError` `invalid-input` if that names nothing.
 */
export const sharedAccount = async (
  asking: Asking,
  readSaved: () => Promise<Saved>,
): Promise<SharedAccount | undefined> => {
  if (isOwn(asking)) return undefined;
  const { headers, principal } = asking;
  const { defaults } = principal;
  const given = savedName(headers);
  const account = given && namedAccount(await readSaved(), given.name, given.header);
  const passed = given && account ? [...withoutNames(headers, [given.header]), ...account.selectorHeaders] : headers;
  const config = defaults?.allowConfigOverride === false ? defaults.config : headerValue(headers, 'x-gw-config');
  if (config === undefined && given && account)
    return { slug: account.slug, name: given.name, saved: account.found, headers: passed };
  const label =
    config === undefined ? (defaults?.config ?? '') : `${configLabel(config)} ${account?.slug ?? ''}`.trim();
  return { slug: `config:${label}`, headers: passed };
};

/** Checks whether the provider fulfilled the request. */
const isDone = ({ origin, status }: GatewayResponse): boolean => origin === 'upstream' && isSuccess(status);

/**
 * Reads a whole response of the data path, which must not have a content-encoding. Rejects with the `GatewayError`
 * `answer-too-large`, or with the error of a body that breaks off.
 */
const collected = async (
  answer: GatewayResponse,
): Promise<{ readonly answer: GatewayResponse; readonly said: JsonObject | undefined }> => {
  const bytes = await answerBytes(answer.body);
  return {
    answer: { ...answer, body: { kind: 'bytes', bytes } },
    said: isDone(answer) ? parseObject(bytes.toString()) : undefined,
  };
};

/** The minimum page size in requests to a provider, because some files of a page may belong to other workspaces. */
const minAtOnce = 100;
const defaultLimit = 10_000;
/** The maximum number of account pages that one request reads. */
const maxPages = 1_000;

/** Removes `accept-encoding`, because the gateway reads the response. */
const plainly = (headers: RawHeaders): RawHeaders => withoutNames(headers, ['accept-encoding']);

const withSuggestion = (answer: GatewayResponse): GatewayResponse => {
  if (answer.cause !== 'missing-provider') return answer;
  throw gatewayError('missing-provider', {
    suggestion:
      'Send x-gw-provider: gw for a file that the gateway stores, or x-gw-virtual-key or x-gw-provider for one of a provider.',
  });
};

const readPath = (query: FilesQuery): string => {
  const members = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return members.length === 0 ? '/v1/files' : `/v1/files?${new URLSearchParams(members)}`;
};

const readId = ({ id }: JsonObject): string => findText(id) ?? '';

/**
 * Passes on requests for files. In an account that workspaces share, files are visible only to the workspace that created them.
 */
export const passedFiles = ({
  parts: { accountIds, remoteIds },
  context,
  account,
}: {
  readonly parts: Pick<WorkParts, 'accountIds' | 'remoteIds'>;
  readonly context: FilesContext;
  /** Undefined if the caller uses its own credential. */
  readonly account: SharedAccount | undefined;
}): AccountFiles => {
  const { tenant, dispatch, principal } = context;
  const headers = account?.headers ?? context.headers;

  const ask = async (
    request: {
      readonly method: string;
      readonly path: string;
      readonly received?: ReceivedBody;
      readonly kept?: KeptExchange;
    },
    lines: RawHeaders = headers,
  ): Promise<GatewayResponse> => withSuggestion(await dispatch({ ...request, headers: lines }, principal));

  /** Lists one page of a workspace's own files, and reads as many pages of the account as that takes. */
  const listOwn = async (query: FilesQuery, { slug }: SharedAccount): Promise<GatewayResponse> => {
    const limit = query.limit ?? defaultLimit;
    const data: JsonObject[] = [];
    const seen = new Set<string | undefined>();
    const unreadable = ({ leaf }: GatewayResponse, reason: string) =>
      unreadableAnswer({ provider: leaf?.provider ?? slug }, reason);
    for (let after = query.after; ; ) {
      const path = readPath({
        ...query,
        ...(after === undefined ? {} : { after }),
        limit: Math.max(limit, minAtOnce),
      });
      const { answer, said } = await collected(await ask({ method: 'GET', path }, plainly(headers)));
      if (!isDone(answer)) return answer;
      // An unreadable response may list the files of others.
      if (said === undefined || findItems(said.data) === undefined)
        throw unreadable(answer, 'it has no list of files.');
      const page = toObjects(said.data);
      const own = await remoteIds.filterOwned(tenant, 'file', page.map(readId), slug);
      data.push(...page.filter((file) => own.has(readId(file))));
      const last = readId(page.at(-1) ?? {});
      seen.add(after);
      after = last;
      // A provider without cursors returns the same page again.
      const goesOn = data.length <= limit && said.has_more === true && last !== '' && !seen.has(last);
      if (goesOn && seen.size === maxPages) throw unreadable(answer, 'its list of files does not end.');
      if (goesOn) continue;
      const body = { ...said, ...pageBody(data.slice(0, limit), data.length > limit) };
      return { ...answer, body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) } };
    }
  };

  const toPath = (id: string): string => `/v1/files/${encodeURIComponent(id)}`;

  /** Returns the path of a file. Rejects with `not-found` for an id that may not be asked for in a shared account. */
  const ownPath = async (id: string): Promise<string> => {
    if (account !== undefined && !(await accountIds.mayAccess({ tenant, kind: 'file', account, id })))
      throw unknownFile(id);
    return toPath(id);
  };

  return {
    async create(received) {
      const request = { method: 'POST', path: '/v1/files', received };
      if (account === undefined) return ask(request);
      const { answer, said } = await collected(await ask({ ...request, kept: { isNew: true } }, plainly(headers)));
      const id = readId(said ?? {});
      const made = answer.leaf?.maker?.account;
      if (id !== '')
        await orUndo(
          () =>
            remoteIds.record(tenant, {
              ...{ kind: 'file', id, slug: account.slug, account: made, createdBy: principal.keyId },
            }),
          async () => collected(await ask({ method: 'DELETE', path: toPath(id) }, plainly(headers))),
        );
      return answer;
    },
    list: (query) => (account === undefined ? ask({ method: 'GET', path: readPath(query) }) : listOwn(query, account)),
    get: async (id) => ask({ method: 'GET', path: await ownPath(id) }),
    content: async (id) => ask({ method: 'GET', path: `${await ownPath(id)}/content` }),
    async remove(id) {
      const answer = await ask({ method: 'DELETE', path: await ownPath(id) });
      if (isDone(answer) && account !== undefined)
        await remoteIds.forget(tenant, { kind: 'file', id, slug: account.slug });
      return answer;
    },
  };
};
