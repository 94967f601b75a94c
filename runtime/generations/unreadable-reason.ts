import { errorText } from '../../schema/error-text.ts';
import { errorCode } from '../error-code.ts';

const reasons: { readonly [code: string]: string } = {
  EACCES: 'It may not be read: permission denied. Give the gateway the right to read it.',
  EPERM: 'It may not be read: permission denied. Give the gateway the right to read it.',
  ENOENT: 'It does not exist. Put it back.',
  ENOTDIR: 'It is not a folder. Put the folder back.',
  EISDIR: 'It is a folder, and not a file. Remove it, or give it another name.',
  ELOOP: 'It is a symbolic link that leads back to itself. Correct the link.',
};

/** Why a file or a folder cannot be read, and what to do; without its path, which not everybody who asks may know. */
export const unreadableReason = (error: unknown): string => {
  const code = errorCode(error);
  return reasons[code] ?? (code === '' ? errorText(error) : `It cannot be read (${code}).`);
};
