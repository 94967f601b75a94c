import type { Clock } from '../../../sdk/clock.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { pruneHourly } from '../../kernel/store/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { BlobStorage } from '../blobs/blob-storage.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { createBlobs } from '../blobs/create-blobs.ts';
import { folderStorage } from '../blobs/folder-storage.ts';
import { createFiles, type StoredFiles } from './create-files.ts';
import type { FilePlace, FileSettings } from './file-settings.ts';

export interface OpenFilesOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  readonly settings: FileSettings;
}

/** Files, and bytes that are no files of users. Both can be used until they are closed. */
export interface OpenedFiles {
  readonly blobs: Blobs;
  readonly files: StoredFiles;
  close(): Promise<void>;
}

/** What a bucket needs is loaded for one alone. */
const openStorage = async (place: FilePlace, now: () => number): Promise<BlobStorage> => {
  if (place.kind === 'folder') return folderStorage(place.folder);
  const { s3Storage } = await import('../blobs/s3/s3-storage.ts');
  return s3Storage({ ...place, now });
};

/** Opens the place where files are kept. What is left behind there is removed each hour. */
export const openFiles = async ({ store, sealer, clock, settings }: OpenFilesOptions): Promise<OpenedFiles> => {
  const { place, maxBytes, quotaBytes } = settings;
  const now = (): number => clock.wall();
  const blobs = createBlobs({ store, sealer, storage: await openStorage(place, now), now });
  const files = createFiles({ store, blobs, now, maxBytes, quotaBytes });
  const sweeping = pruneHourly({ clock, prune: (_, isOver) => files.sweep(isOver) });
  return { blobs, files, close: () => sweeping.close() };
};
