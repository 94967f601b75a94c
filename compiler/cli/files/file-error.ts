const reasons: { readonly [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file is in the way',
  ELOOP: 'it is a symbolic link that leads back to itself',
  ENAMETOOLONG: 'a name is too long',
  EEXIST: 'a file is in the way',
};

/** Why the system refused to read or write, in words. */
export const fileError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? (reasons[String(error.code)] ?? error.message) : error.message;
};
