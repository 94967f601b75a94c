import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';

/** What a gateway file says of files, its references read and its paths absolute. */
export type FilesMember = NonNullable<GatewayFile['store']>['files'];

/** Where files are kept, and how many bytes they may have. */
export interface FileSettings {
  /** The path of a folder. */
  readonly folder: string;
  /** Of one file. */
  readonly maxBytes: number;
  /** Of all files of a workspace. */
  readonly quotaBytes: number;
}

/** 512 MiB for a file, and 10 GiB for a workspace. */
const usual = { maxBytes: 512 * 1024 ** 2, quotaBytes: 10 * 1024 ** 3 };

/** The settings of a gateway file, with what it does not say; `folder` is the usual one. */
export const toFileSettings = (member: FilesMember, folder: string): FileSettings => ({
  folder: member?.folder ?? folder,
  maxBytes: member?.max_bytes ?? usual.maxBytes,
  quotaBytes: member?.quota_bytes ?? usual.quotaBytes,
});
