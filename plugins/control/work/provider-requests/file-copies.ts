import { setTimeout } from 'node:timers/promises';
import { renewClaim } from '../../../sdk/control-plane/renew-claim.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { createStoredIdempotency } from '../../kernel/records/idempotency-store.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Files, StoredFile } from '../files/files.ts';
import type { RemoteIds } from '../remote-ids/remote-ids.ts';
import type { Account } from './account.ts';
import type { FileForm } from './upload-file.ts';

/** A file of the gateway that is copied into an account. */
export interface CopiedFile extends Pick<FileForm, 'filename' | 'read'> {
  /** The number of bytes. */
  readonly bytes: number;
}

export interface FileCopy {
  readonly tenant: TenantId;
  /** The slug of the account. */
  readonly slug: string;
  /** The id of the gateway's file. */
  readonly id: string;
  /** The key with which the copy is made. */
  readonly createdBy?: string | undefined;
  /** The beginning of its id there: a folder, if an account has several places for files. */
  readonly place?: string | undefined;
  /** The `keyAccount` of the account. */
  readonly keyAccount?: Account['keyAccount'];
  /** Copies the file, and resolves to its id in the account. */
  upload(file: CopiedFile): Promise<string>;
}

/** The copies of files of the gateway in the accounts of providers. */
export interface FileCopies {
  /**
   * Resolves to the id of a file in an account; it is copied there when it is first used. Undefined if the workspace has no such
   * file.
   */
  copyInto(copy: FileCopy): Promise<string | undefined>;
  /** Resolves to the id of the gateway's file that a file of an account is a copy of, or to its own id if it is not a copy. */
  findOriginal(tenant: TenantId, file: Pick<FileCopy, 'slug' | 'id'>): Promise<string>;
}

/** The interval at which the store is checked for a copy that another process is making, in milliseconds. */
const askEveryMs = 100;

/** Copies files. If a copy is already being made, in this or another process of the store, the caller waits for that one. */
export const createFileCopies = ({
  files,
  remoteIds,
  store,
  now,
}: {
  readonly files: Pick<Files, 'find' | 'read'>;
  readonly remoteIds: RemoteIds;
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}): FileCopies => {
  const copying = new Map<string, Promise<string | undefined>>();
  const claims = createStoredIdempotency(store, now);

  const made = async (
    { tenant, slug, id, createdBy, keyAccount, upload }: FileCopy,
    { filename, bytes }: StoredFile,
  ): Promise<string> => {
    const remote = await upload({ filename, bytes, read: () => files.read(tenant, id) });
    await remoteIds.record(tenant, { kind: 'file', id: remote, slug, uses: id, account: keyAccount?.(), createdBy });
    return remote;
  };

  const copied = async (copy: FileCopy): Promise<string | undefined> => {
    const { tenant, slug, id, place } = copy;
    const claim = { tenant, route: 'file-copy', key: JSON.stringify([slug, id, place]), bodyHash: '' };
    const file = await files.find(tenant, id);
    if (file === undefined) return undefined;
    const find = async () => (await remoteIds.findCopy(tenant, { kind: 'file', slug, uses: id, place }))?.id;
    for (;;) {
      const existing = await find();
      if (existing !== undefined) return existing;
      const { kind } = await claims.claim({ ...claim, now: now() });
      if (kind === 'yours') break;
      await setTimeout(askEveryMs);
    }
    const stop = renewClaim(claims, { claim, now });
    try {
      // Another process may have completed the copy just before.
      return (await find()) ?? (await made(copy, file));
    } finally {
      stop();
      await claims.release(claim);
    }
  };

  return {
    copyInto(copy) {
      const key = JSON.stringify([copy.tenant, copy.slug, copy.id, copy.place]);
      const running = copying.get(key) ?? copied(copy).finally(() => copying.delete(key));
      copying.set(key, running);
      return running;
    },
    findOriginal: async (tenant, { slug, id }) =>
      (await remoteIds.find(tenant, 'file', id)).find((file) => file.slug === slug)?.uses ?? id,
  };
};
