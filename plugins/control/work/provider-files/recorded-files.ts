import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Account } from '../accounts/account.ts';
import { inTurns } from '../accounts/in-turns.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import type { FilesQuery } from '../files/files-query.ts';
import { recordedPage } from '../remote-ids/recorded-page.ts';
import type { ProviderFile, ProviderFileStore } from './provider-file-store.ts';

/** How many files of a page are asked for at the same time. */
const maxAtOnce = 8;
/** Each file of a page is a request to the provider. */
const maxListed = 100;

interface Listing {
  readonly account: Account;
  readonly tenant: TenantId;
  readonly files: ProviderFileStore;
}

const refused = (name: string, message: string, hint: string) =>
  invalidInput([{ in: 'query', pointer: toPointer([name]), message, hint }]);

const isGone = (error: unknown): boolean => error instanceof ProviderRefusal && error.reply.status === 404;

/** A page of the files that a workspace has in an account, the newest first; those that the provider has no more are left out. */
export const recordedFiles = async (
  store: ControlParts['store'],
  { account, tenant, files }: Listing,
  { purpose, order, limit = maxListed, ...query }: FilesQuery,
): Promise<{ readonly data: readonly ProviderFile[]; readonly hasMore: boolean }> => {
  if (order === 'asc')
    throw refused('order', `Files at ${account.provider} are listed with the newest first.`, 'Leave "order" out.');
  const most = Math.min(limit, maxListed);
  const data: ProviderFile[] = [];
  for (let after = query.after; ; ) {
    const page = await recordedPage(store, tenant, {
      ...{ kind: 'file', slug: account.slug, after, limit: maxListed },
    });
    if (page === undefined)
      throw refused('after', 'This is no id of a file of this workspace.', 'Send the last_id of a page.');
    const found = await inTurns(page.ids, maxAtOnce, async (id) => {
      try {
        return await files.find(id, account);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    });
    data.push(
      ...found.filter((file) => file !== undefined).filter((file) => file.purpose === (purpose ?? file.purpose)),
    );
    if (data.length > most || !page.hasMore)
      return { data: data.slice(0, most), hasMore: page.hasMore || data.length > most };
    after = page.ids.at(-1);
  }
};
