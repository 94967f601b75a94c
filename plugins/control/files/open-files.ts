import type { Clock } from '../identity/clock.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { pruneHourly } from '../store/prune-hourly.ts';
import type { Store } from '../store/store.ts';
import type { Blobs } from './blobs/blobs.ts';
import { createBlobs } from './blobs/create-blobs.ts';
import { folderStorage } from './blobs/folder-storage.ts';
import { createFiles, type KeptFiles } from './create-files.ts';
import type { FileSettings } from './file-settings.ts';

export interface OpenFilesOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  readonly settings: FileSettings;
}

/** Files, and bytes that are no files of users. Both can be used until they are closed. */
export interface OpenedFiles {
  readonly blobs: Blobs;
  readonly files: KeptFiles;
  close(): Promise<void>;
}

/** Opens the place where files are kept. What is left behind there is removed each hour. */
export const openFiles = ({ store, sealer, clock, settings }: OpenFilesOptions): OpenedFiles => {
  const { folder, maxBytes, quotaBytes } = settings;
  const now = (): number => clock.wall();
  const blobs = createBlobs({ store, sealer, storage: folderStorage(folder), now });
  const files = createFiles({ store, blobs, now, maxBytes, quotaBytes });
  const sweeping = pruneHourly({ clock, prune: (_, isOver) => files.sweep(isOver) });
  return { blobs, files, close: () => sweeping.close() };
};
