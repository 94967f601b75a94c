import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../../schema/text/file-error.ts';
import { assertUsable, runFailure, usageFailure } from '../command-line/services.ts';

/** The file for new service keys, one on each line, which only its owner can read. */
export class KeysFile {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Opens the file, or creates it. Throws a `CommandFailure` if it is in the folder, is a link, or can be read by others. */
  static async open(
    given: string,
    { cwd, folder }: { readonly cwd: string; readonly folder: string },
  ): Promise<KeysFile> {
    const file = path.resolve(cwd, given);
    const parent = await realpath(path.dirname(file)).catch(() => path.dirname(file));
    const inFolder = path.relative(await realpath(folder), parent);
    assertUsable(
      inFolder.startsWith('..') || path.isAbsolute(inFolder),
      `The keys would be written to ${given}, which is in the folder.`,
      'Name a file outside of it with --keys-file, so that no key is committed to git.',
    );
    // Opening a pipe would wait for a reader.
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600).catch(
      (error: unknown) => {
        throw usageFailure(
          `The file ${given} cannot be written: ${fileError(error)}.`,
          errorCode(error) === 'ELOOP' ? 'It is a symbolic link: name the file itself.' : fileHint(error),
        );
      },
    );
    const status = await handle.stat();
    if (!status.isFile() || (process.platform !== 'win32' && (status.mode & 0o077) !== 0)) {
      await handle.close();
      throw usageFailure(
        status.isFile() ? `Other users can read the file ${given}.` : `${given} is not a file.`,
        `Run: chmod 600 ${given}, or name another file.`,
      );
    }
    return new KeysFile(handle);
  }

  /** Writes a key, and resolves when it is on the disk. Rejects with a `CommandFailure`. */
  async write(name: string, { id, text }: { readonly id: string; readonly text: string }): Promise<void> {
    try {
      await this.#handle.write(`${name} ${text}\n`);
      await this.#handle.sync();
    } catch (error) {
      throw runFailure(
        `The key ${name} was created, but could not be written: ${fileError(error)}.`,
        `Rotate it: gw keys rotate ${id}`,
      );
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
