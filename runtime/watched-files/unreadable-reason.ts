import { errorCode } from '../../schema/text/error-code.ts';
import { errorText } from '../../schema/text/error-text.ts';

const reasons: { readonly [code: string]: string } = {
  EACCES: 'Permission was denied. Give the gateway read permission.',
  EPERM: 'Permission was denied. Give the gateway read permission.',
  ENOENT: 'It does not exist. Restore it.',
  ENOTDIR: 'It is not a folder. Restore the folder.',
  EISDIR: 'It is a folder, not a file. Name a file, or put one in its place.',
  ELOOP: 'It is a symbolic link that refers to itself. Correct the link.',
  EMFILE: 'Too many files are open. Raise the limit of open files: ulimit -n.',
  ENAMETOOLONG: 'Its name is too long. Give it a shorter one.',
  ERR_INVALID_ARG_VALUE: 'Its name contains the character U+0000. Correct the name.',
};

/** Returns why a file or a folder cannot be read, and what to do, without its path, which not every caller may see. */
export const unreadableReason = (error: unknown): string => {
  const code = errorCode(error) ?? '';
  return reasons[code] ?? (code === '' ? errorText(error) : `Reading it failed with ${code}.`);
};
