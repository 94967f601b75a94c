const reasons: { readonly [code: string]: string } = {
  EACCES: 'you have not the right to',
  EPERM: 'you have not the right to',
  ENOENT: 'there is no such place',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
};

/** Why the system refused to read or write, in words. */
export const fileFault = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? (reasons[String(error.code)] ?? error.message) : error.message;
};
