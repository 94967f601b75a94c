import { execFile } from 'node:child_process';
import type { RunGit } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';

/** The maximum size of a file, and of the listing of a folder, in bytes. */
const maxBytes = 16 * 1024 * 1024;
const timeoutMs = 20_000;

const notRun = (error: Error & { readonly code?: unknown; readonly killed?: boolean }): UsageError => {
  if (error.code === 'ENOENT')
    return new UsageError('The program git was not found.', 'Install git, or name files instead of revisions.');
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new UsageError(`A file of the revision has more than ${maxBytes} bytes.`, 'Name the config itself.');
  return error.killed === true
    ? new UsageError(`git did not answer within ${timeoutMs / 1000} s.`, 'Try it on its own: git status.')
    : new UsageError(`git could not be run: ${error.message}.`, 'Check that git works in this folder.');
};

/** Runs `git` without a shell, without prompts, and without fetching anything. */
export const runGit: RunGit = (args, cwd) =>
  new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      ...{ LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' },
    };
    const options = {
      cwd,
      env,
      timeout: timeoutMs,
      maxBuffer: maxBytes,
      encoding: 'buffer' as const,
      windowsHide: true,
    };
    execFile('git', [...args], options, (error, out, err) => {
      if (error !== null && typeof error.code !== 'number') reject(notRun(error));
      else resolve({ code: error === null ? 0 : Number(error.code), out, err: err.toString('utf8') });
    });
  });
