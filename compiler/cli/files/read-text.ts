import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import { NotUtf8Error } from '../../../schema/text/utf8-text.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Reads a file's text. Throws a `UsageError` if it does not exist or cannot be read. */
export const readText = async (io: CommandIo, file: string): Promise<string> => {
  if ((await io.readKind(file)) === undefined) {
    const { missingPath } = await import('./missing-path.ts');
    throw await missingPath(io, { what: 'file', given: file });
  }
  try {
    return await io.readFile(file);
  } catch (error) {
    if (error instanceof NotUtf8Error)
      throw new UsageError(
        `The file "${file}" cannot be read: line ${error.line} is not in UTF-8.`,
        'Save it as UTF-8.',
      );
    throw new UsageError(`The file "${file}" cannot be read: ${fileError(error)}.`, fileHint(error));
  }
};
