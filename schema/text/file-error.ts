import { errorCode } from './error-code.ts';
import { errorText } from './error-text.ts';

/** Why the system refuses to access a file, as the middle of a sentence, and a sentence that says what to do. */
interface Refusal {
  readonly reason: string;
  readonly hint: string;
}

const denied: Refusal = { reason: 'permission denied', hint: 'Check its permissions, and those of its folder.' };
const inTheWay: Refusal = { reason: 'a file is in the way', hint: 'Name another place.' };

const refusals: { readonly [code: string]: Refusal } = {
  EACCES: denied,
  EPERM: denied,
  ENOENT: { reason: 'there is no such file or folder', hint: 'Correct its name, or make its folder.' },
  EROFS: { reason: 'the disk is read-only', hint: 'Name a place on another disk.' },
  ENOSPC: { reason: 'the disk is full', hint: 'Make room.' },
  EDQUOT: { reason: 'the quota of the disk is used up', hint: 'Make room.' },
  EISDIR: { reason: 'it is a folder', hint: 'Name a file, or put one in its place.' },
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  ELOOP: { reason: 'it is a symbolic link that leads back to itself', hint: 'Correct the link.' },
  EMFILE: { reason: 'too many files are open', hint: 'Raise the limit of open files: ulimit -n.' },
  ENAMETOOLONG: { reason: 'a name is too long', hint: 'Give it a shorter one.' },
  ERR_SILENT_PIPE: {
    reason: 'it is a pipe, and nothing writes to it',
    hint: 'Start what writes to it, or name a regular file.',
  },
  ERR_ENDLESS_FILE: { reason: 'it is a pipe or a device with more than 64 MiB', hint: 'Name a regular file.' },
};

const find = (error: unknown): Refusal | undefined => refusals[errorCode(error) ?? ''];

/** Returns why the system refused to read or write, in words. */
export const fileError = (error: unknown): string => find(error)?.reason ?? errorText(error);

/** Returns what to do if the system refused to read or write a file. */
export const fileHint = (error: unknown): string => (find(error) ?? denied).hint;
