import type { GatewayFile } from '../../../../schema/generated/gateway-file.ts';

/** What a gateway file says of files, its references read and its paths absolute. */
export type FilesMember = NonNullable<GatewayFile['store']>['files'];

/** Where files are kept. */
export type FilePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** Empty, or with a `/` at its end. */
      readonly prefix: string;
      readonly endpoint: string;
      readonly region: string;
      readonly isPathStyle: boolean;
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    };

/** Where files are kept, and how many bytes they may have. */
export interface FileSettings {
  readonly place: FilePlace;
  /** Of one file. */
  readonly maxBytes: number;
  /** Of all files of a workspace. */
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

/** The settings of a gateway file, with what it does not say; `defaultFolder` is where files are if it names no place. */
export const toFileSettings = (member: FilesMember, defaultFolder: string): FileSettings => ({
  place: toPlace(member, defaultFolder),
  maxBytes: member?.max_bytes ?? defaults.maxBytes,
  quotaBytes: member?.quota_bytes ?? defaults.quotaBytes,
});
