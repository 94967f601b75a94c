import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { ReceivedBody, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { CountedBytes } from '../../kernel/blobs/blob-storage.ts';
import { orUndo } from '../../kernel/records/records.ts';
import { memberProblem, queryFault, refuse } from '../../kernel/requests/refusals.ts';
import { ok, pageBody } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { arrivingUpload } from '../files/arriving-upload.ts';
import { rejectTooLarge, unknownFile } from '../files/create-files.ts';
import { type FilesQuery, shownFile } from '../files/file-content.ts';
import { type Account, readAccount } from '../provider-requests/account.ts';
import { findEach } from '../provider-requests/find-each.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import { recordedPage } from '../remote-ids/remote-ids.ts';
import type { FileOperation, ProviderFile, ProviderFileStore, SentFile } from './provider-file-store.ts';
import { providerFileStores } from './stores.ts';

/**
 * Calls `run` with the file of a form as it arrives. If the purpose comes after the file in the form, the gateway stores the
 * bytes, sealed, until `run` has read them. Rejects like `run` and `arrivingUpload`.
 */
const withSentFile = async <Result>(
  received: ReceivedBody,
  { blobs, fileLimits, tenant }: Pick<WorkParts, 'blobs' | 'fileLimits'> & { readonly tenant: TenantId },
  run: (file: SentFile) => Promise<Result>,
): Promise<Result> => {
  const { filename, fields, bytes } = await arrivingUpload(received, { names: ['purpose'] });
  const purpose = fields.get('purpose');
  if (purpose !== undefined) return run({ filename, purpose, bytes });
  const limited = new CountedBytes(bytes, (count) => rejectTooLarge(count, fileLimits.maxBytes));
  const ref = await blobs.write({ tenant, isProvisional: true }, limited);
  try {
    return await run({ filename, purpose: fields.get('purpose') ?? '', length: ref.bytes, bytes: blobs.read(ref) });
  } finally {
    // If they cannot be removed now, the sweep removes them.
    await blobs.remove(ref).catch(() => {});
  }
};

/** The maximum page size, because each file of a page is a request to the provider. */
const maxListed = 100;

/**
 * Lists a page of the files that a workspace has in an account, the newest first, and omits those that the provider no longer
 * has.
 */
const recordedFiles = async (
  store: ControlParts['store'],
  {
    account,
    tenant,
    files,
  }: { readonly account: Account; readonly tenant: TenantId; readonly files: ProviderFileStore },
  { purpose, order, limit = maxListed, ...query }: FilesQuery,
): Promise<{ readonly data: readonly ProviderFile[]; readonly hasMore: boolean }> => {
  if (order === 'asc')
    throw queryFault(
      'order',
      `Files at ${account.provider} can only be listed with the newest first.`,
      'Omit "order".',
    );
  const max = Math.min(limit, maxListed);
  const data: ProviderFile[] = [];
  for (let after = query.after; ; ) {
    const page = await recordedPage(store, tenant, { kind: 'file', slug: account.slug, after, limit: maxListed });
    if (page === undefined)
      throw queryFault('after', 'This is not the id of a file of this workspace.', 'Send the last_id of a page.');
    const found = await findEach(page.ids, (id) => files.find(id, account));
    data.push(...found.filter((file) => file.purpose === (purpose ?? file.purpose)));
    if (data.length > max || !page.hasMore)
      return { data: data.slice(0, max), hasMore: page.hasMore || data.length > max };
    after = page.ids.at(-1);
  }
};

export type AccountFilesParts = Pick<
  WorkParts,
  'blobs' | 'catalogue' | 'wholeCatalogue' | 'fileLimits' | 'now' | 'accountIds' | 'remoteIds' | 'store' | 'readView'
>;
/** The context of a request for files. */
export type FilesContext = Pick<RouteContext, 'dispatch' | 'headers' | 'principal' | 'tenant'>;

/** The files of a workspace in one account. Methods reject with `GatewayError`s and `ProviderRefusal`s. */
export interface AccountFiles {
  create(received: ReceivedBody): Promise<RouteReply>;
  list(query: FilesQuery): Promise<RouteReply>;
  get(id: string): Promise<RouteReply>;
  content(id: string): Promise<RouteReply>;
  remove(id: string): Promise<RouteReply>;
}

const operations: Readonly<Record<FileOperation, string>> = {
  list: 'list files',
  content: 'return the contents of files',
  delete: 'delete files',
};

const refusePurpose = ({ purpose }: SentFile, { purposes }: ProviderFileStore, { provider }: Account): void => {
  if (purposes !== undefined && !purposes.includes(purpose))
    refuse([
      memberProblem(
        'purpose',
        `${provider} does not store files with the purpose "${purpose}".`,
        `Send one of ${purposes.join(', ')}.`,
      ),
    ]);
};

const toView = (file: ProviderFile): JsonObject => shownFile({ status: 'processed', ...file });

/** Opens the files of an account by its name, if its provider's form of files is not OpenAI's; undefined for other providers. */
export const accountFiles = async (
  parts: AccountFilesParts,
  context: FilesContext,
  name: string,
): Promise<AccountFiles | undefined> => {
  const { accountIds, remoteIds } = parts;
  const { tenant, principal } = context;
  const account = await readAccount(parts, { tenant, name, context });
  const { slug, provider } = account;
  const files = providerFileStores.get(provider);
  if (files === undefined) return undefined;

  const refuseLacking = (operation: FileOperation): void => {
    const suggestion = files.lacks[operation];
    if (suggestion !== undefined)
      throw gatewayError('no-such-file-operation', { provider, operation: operations[operation], suggestion });
  };

  /** Throws the `GatewayError` `not-found` for a file that the workspace may not ask for in the account. */
  const own = async (text: string): Promise<string> => {
    const id = files.findId(text);
    if (id === undefined || !(await accountIds.mayAccess({ tenant, kind: 'file', account, id })))
      throw unknownFile(text);
    return id;
  };

  const upload = async (sent: SentFile): Promise<ProviderFile> => {
    refusePurpose(sent, files, account);
    const file = await files.upload(sent, { ...parts, account, tenant });
    await orUndo(
      () =>
        remoteIds.record(tenant, {
          ...{ kind: 'file', id: file.id, slug, account: account.keyAccount?.(), createdBy: principal.keyId },
        }),
      () => files.remove(file.id, account),
    );
    return file;
  };

  return {
    create: (received) => withSentFile(received, { ...parts, tenant }, async (sent) => ok(toView(await upload(sent)))),
    async list(query) {
      refuseLacking('list');
      const { data, hasMore } = await recordedFiles(parts.store, { account, tenant, files }, query);
      return ok(pageBody(data.map(toView), hasMore));
    },
    get: async (text) => ok(toView(await files.find(await own(text), account))),
    async content(text) {
      refuseLacking('content');
      const id = await own(text);
      if (files.content === undefined) throw unknownFile(text);
      return files.content(id, account);
    },
    async remove(text) {
      refuseLacking('delete');
      const id = await own(text);
      await files.remove(id, account);
      await remoteIds.forget(tenant, { kind: 'file', id, slug });
      return ok({ id, object: 'file', deleted: true });
    },
  };
};
