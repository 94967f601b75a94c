import { gatewayError } from '../../../../schema/errors/errors.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { ReceivedBody, RouteContext, RouteReply } from '../../../sdk/route/route-row.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import { ok } from '../../kernel/requests/replies.ts';
import { type Account, readAccount } from '../accounts/account.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { unknownFile } from '../files/create-files.ts';
import { shownFile } from '../files/file-view.ts';
import type { FilesQuery } from '../files/files-query.ts';
import type { FileOperation, ProviderFile, ProviderFileStore, SentFile } from './provider-file-store.ts';
import { recordedFiles } from './recorded-files.ts';
import { withSentFile } from './sent-file.ts';
import { providerFileStores } from './stores.ts';

export type AccountFilesParts = Pick<
  WorkParts,
  'blobs' | 'catalogue' | 'wholeCatalogue' | 'fileLimits' | 'now' | 'accountIds' | 'remoteIds' | 'store' | 'readView'
>;
/** Of the request that asks for files. */
export type FilesContext = Pick<RouteContext, 'dispatch' | 'headers' | 'principal' | 'tenant'>;

/** The files that a workspace has in one account. Methods reject with `GatewayError`s and `ProviderRefusal`s. */
export interface AccountFiles {
  create(received: ReceivedBody): Promise<RouteReply>;
  list(query: FilesQuery): Promise<RouteReply>;
  get(id: string): Promise<RouteReply>;
  content(id: string): Promise<RouteReply>;
  remove(id: string): Promise<RouteReply>;
}

const operations: Readonly<Record<FileOperation, string>> = {
  list: 'list files',
  content: 'give the bytes of files back',
  delete: 'delete files',
};

const refusePurpose = ({ purpose }: SentFile, { purposes }: ProviderFileStore, { provider }: Account): void => {
  if (purposes === undefined || purposes.includes(purpose)) return;
  refuse([
    {
      pointer: toPointer(['purpose']),
      message: `${provider} keeps no files of the purpose "${purpose}".`,
      hint: `Send one of ${purposes.join(', ')}.`,
    },
  ]);
};

const toView = ({ createdAt, status = 'processed', ...file }: ProviderFile): object =>
  shownFile({ ...file, createdAt, status });

const toFiles = (
  parts: AccountFilesParts,
  {
    context,
    account,
    files,
  }: { readonly context: FilesContext; readonly account: Account; readonly files: ProviderFileStore },
): AccountFiles => {
  const { accountIds, remoteIds } = parts;
  const { tenant, principal } = context;
  const { slug, provider } = account;

  const refuseLacking = (operation: FileOperation): void => {
    const suggestion = files.lacks[operation];
    if (suggestion === undefined) return;
    throw gatewayError('no-such-file-operation', { provider, operation: operations[operation], suggestion });
  };

  /** Throws the `GatewayError` `not-found` for a file that the workspace may not ask for in the account. */
  const own = async (text: string): Promise<string> => {
    const id = files.findId(text);
    if (id === undefined || !(await accountIds.mayAsk({ tenant, kind: 'file', account, id }))) throw unknownFile(text);
    return id;
  };

  const upload = async (sent: SentFile): Promise<ProviderFile> => {
    refusePurpose(sent, files, account);
    const file = await files.upload(sent, { ...parts, account, tenant });
    try {
      await remoteIds.record(tenant, { kind: 'file', id: file.id, slug, createdBy: principal.keyId });
    } catch (error) {
      // Nobody could find it again.
      await files.remove(file.id, account).catch(() => {});
      throw error;
    }
    return file;
  };

  return {
    create: (received) => withSentFile(received, { ...parts, tenant }, async (sent) => ok(toView(await upload(sent)))),
    async list(query) {
      refuseLacking('list');
      const { data, hasMore } = await recordedFiles(parts.store, { account, tenant, files }, query);
      const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
      return ok({ object: 'list', data: data.map(toView), has_more: hasMore, ...ends });
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
      await remoteIds.forget(tenant, 'file', id);
      return ok({ id, object: 'file', deleted: true });
    },
  };
};

/** The files of the account of a name, where its provider's have another form than OpenAI's; undefined for other providers. */
export const accountFiles = async (
  parts: AccountFilesParts,
  context: FilesContext,
  name: string,
): Promise<AccountFiles | undefined> => {
  const account = await readAccount(parts, { tenant: context.tenant, name, context });
  const files = providerFileStores.get(account.provider);
  return files && toFiles(parts, { context, account, files });
};
