import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { type BlobStorage, folderStorage } from '../../kernel/blobs/blob-storage.ts';
import { type Blobs, createBlobs } from '../../kernel/blobs/blobs.ts';
import type { S3Connection } from '../../kernel/blobs/s3/s3-storage.ts';
import { pruneHourly } from '../../kernel/jobs/prune-hourly.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createFiles, type StoredFiles } from './create-files.ts';

/** The settings of files in a gateway file, with resolved references and absolute paths. */
export type FilesMember = NonNullable<GatewayFile['store']>['files'];

/** The place where files are stored. */
type FilePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** The key prefix: empty, or with a `/` at its end. */
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
      readonly isPathStyle: boolean;
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    };

/** Where files are stored, and how large they may be. */
export interface FileSettings {
  readonly place: FilePlace;
  /** The maximum size of one file. */
  readonly maxBytes: number;
  /** The maximum size of all files of a workspace. */
  readonly quotaBytes: number;
}

/** 512 MiB for a file, and 10 GiB for a workspace. */
const defaults = { maxBytes: 512 * 1024 ** 2, quotaBytes: 10 * 1024 ** 3 };

const toPlace = (member: FilesMember, defaultFolder: string): FilePlace => {
  const { folder = defaultFolder, url, region = 'us-east-1', endpoint } = member ?? {};
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(url ?? '') ?? [];
  if (bucket === undefined) return { kind: 'folder', folder };
  return {
    ...{ kind: 's3', bucket, prefix: prefix === '' ? '' : `${prefix}/`, region },
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    isPathStyle: member?.path_style ?? endpoint !== undefined,
    credentials: { accessKeyId: member?.access_key_id ?? '', secretAccessKey: member?.secret_access_key ?? '' },
  };
};

/** Completes the settings of a gateway file with the defaults; `defaultFolder` is the folder of files if they name no place. */
export const toFileSettings = (member: FilesMember, defaultFolder: string): FileSettings => ({
  place: toPlace(member, defaultFolder),
  maxBytes: member?.max_bytes ?? defaults.maxBytes,
  quotaBytes: member?.quota_bytes ?? defaults.quotaBytes,
});

/** Opens the storage of files. The code for buckets is loaded only if it is needed. */
const openStorage = async (
  place: FilePlace,
  { now, connector }: Pick<S3Connection, 'now' | 'connector'>,
): Promise<BlobStorage> => {
  if (place.kind === 'folder') return folderStorage(place.folder);
  const { s3Storage } = await import('../../kernel/blobs/s3/s3-storage.ts');
  return s3Storage({ ...place, now, connector });
};

/** Opens the storage of files. Abandoned files are removed every hour. */
export const openFiles = async ({
  store,
  sealer,
  clock,
  settings,
  connector,
}: {
  readonly store: Pick<Store, 'db' | 'write' | 'leads'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
  readonly settings: FileSettings;
  readonly connector?: S3Connection['connector'];
}): Promise<{
  readonly blobs: Blobs;
  readonly files: StoredFiles;
  close(): Promise<void>;
}> => {
  const { place, maxBytes, quotaBytes } = settings;
  const now = (): number => clock.wall();
  const blobs = createBlobs({ store, sealer, storage: await openStorage(place, { now, connector }), now });
  const files = createFiles({ store, blobs, now, maxBytes, quotaBytes });
  return { blobs, files, close: pruneHourly({ clock, store, prune: (_, isOver) => files.sweep(isOver) }).close };
};
