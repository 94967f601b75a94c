/** Where files are kept, and how many bytes they may have. */
export interface FileSettings {
  /** The path of the folder. */
  readonly folder: string;
  /** Of one file. */
  readonly maxBytes: number;
  /** Of all files of a workspace. */
  readonly quotaBytes: number;
}

/** 512 MiB for a file, and 10 GiB for a workspace. */
export const usualFileBytes: Pick<FileSettings, 'maxBytes' | 'quotaBytes'> = {
  maxBytes: 512 * 1024 ** 2,
  quotaBytes: 10 * 1024 ** 3,
};
