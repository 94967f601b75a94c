import { dayMs } from '../../../../schema/durations.ts';
import type { GatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { conflict, notFound } from '../../kernel/requests/refusals.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { BlobRef, Blobs } from '../blobs/blobs.ts';
import { deleteFile, deleteInterrupted, expiredFiles, findFile, listFiles } from './file-rows.ts';
import type { FileAbout, FileRemoval, Files, StoredFile, UsesOfFile } from './files.ts';
import { type Incoming, type IncomingOptions, receiveFile } from './incoming-file.ts';

export interface FilesOptions extends IncomingOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly blobs: Blobs;
}

/** The files of workspaces, and what the gateway itself does with them. */
export interface StoredFiles extends Files {
  /** Receives a file of which all but the bytes is asked for when they are there. Where it rejects, nothing is left. */
  receive(
    tenant: TenantId,
    incoming: Incoming,
    bytes: AsyncIterable<Uint8Array>,
    readAbout: () => FileAbout,
  ): Promise<StoredFile>;
  /** Removes what is over, and what interrupted uploads have left a day ago or earlier. */
  sweep(isOver: () => boolean): Promise<void>;
}

export const unknownFile = (id: string): GatewayError => notFound('file', id, 'GET /v1/files');

/** Makes files. */
export const createFiles = (options: FilesOptions): StoredFiles => {
  const { store, blobs, now } = options;
  const allUses: UsesOfFile[] = [];
  const removals: FileRemoval[] = [];

  /** Deletes the row of a file, whether or not its time is over; undefined if there is none. */
  const forget = (tenant: TenantId, id: string, at: number): Promise<BlobRef | undefined> =>
    store.write(async (writing) => {
      const found = await findFile(writing, { tenant, now: at }, id);
      if (found === undefined) return undefined;
      const [use] = (await Promise.all(allUses.map((uses) => uses(tenant, id, writing)))).flat();
      if (use !== undefined)
        throw conflict(`The file ${id} cannot be deleted while ${use} reads it.`, 'Cancel that, or wait for its end.');
      for (const run of removals) await run(tenant, id, writing);
      await deleteFile(writing, tenant, id);
      await blobs.drop(writing, found.blob);
      return found.blob;
    });

  const remove = async (tenant: TenantId, id: string, at: number): Promise<boolean> => {
    const blob = await forget(tenant, id, at);
    // The sweep removes what cannot be removed now.
    if (blob !== undefined) await blobs.remove(blob).catch(() => {});
    return blob !== undefined;
  };

  const removeExpired = async (isOver: () => boolean): Promise<void> => {
    for (let after = ''; ; ) {
      const rows = await expiredFiles(store.db, now(), after);
      for (const { id, workspace_id } of rows) {
        if (isOver()) return;
        // One that is read goes when nothing reads it any more.
        await remove(workspace_id as TenantId, id, 0).catch(() => {});
        after = id;
      }
      if (rows.length === 0) return;
    }
  };

  return {
    find: async (tenant, id) => (await findFile(store.db, { tenant, now: now() }, id))?.file,
    async list(tenant, page) {
      const { limit } = page;
      const files = await listFiles(store.db, { tenant, now: now() }, { ...page, limit: limit + 1 });
      return { files: files.slice(0, limit), hasMore: files.length > limit };
    },
    async *read(tenant, id, range) {
      // A job goes on reading a file whose time is over: it is there for as long.
      const found = await findFile(store.db, { tenant, now: 0 }, id);
      if (found === undefined) throw unknownFile(id);
      yield* blobs.read(found.blob, range);
    },
    keep: (tenant, about, bytes) =>
      receiveFile(options, { tenant, isLimited: false, createdBy: about.createdBy }, bytes, () => about),
    remove: (tenant, id) => remove(tenant, id, now()),
    addUses: (uses) => void allUses.push(uses),
    onRemoval: (run) => void removals.push(run),
    receive: (tenant, incoming, bytes, readAbout) => receiveFile(options, { ...incoming, tenant }, bytes, readAbout),
    async sweep(isOver) {
      await store.write((writing) => deleteInterrupted(writing, now() - dayMs));
      await removeExpired(isOver);
      await blobs.sweep(isOver);
    },
  };
};
