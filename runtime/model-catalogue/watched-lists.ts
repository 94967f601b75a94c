import { errorText } from '../../schema/text/error-text.ts';
import { fileFingerprint } from '../watched-files/fingerprint.ts';
import type { ProviderLists } from './facts-file.ts';

/** The lists of providers beside a gateway file, as last read successfully. */
export interface WatchedLists {
  /** Returns the same object as long as the file is unchanged. Returns no lists if there never was a readable file. */
  read(): Promise<ProviderLists>;
  /** Returns why the file cannot currently be used, and what to do. Undefined if it can, or if there is none. */
  problem(): Promise<string | undefined>;
}

const noLists: ProviderLists = {};

/** Reads the file on first use, and again when it has changed. */
export const watchLists = (file: string): WatchedLists => {
  let seen: string | undefined;
  let lists = noLists;
  let problem: string | undefined;

  const look = async (): Promise<void> => {
    const found = await fileFingerprint(file);
    if (found === seen) return;
    seen = found;
    try {
      // A gateway without such a file does not load the code that reads it.
      lists = found === 'ENOENT' ? noLists : await (await import('./facts-file.ts')).readFactsFile(file);
      problem = undefined;
    } catch (error) {
      problem = errorText(error);
    }
  };

  let last = Promise.resolve();
  /** One after the other, so that an earlier read never replaces a later one. */
  const looked = (): Promise<void> => {
    last = last.then(look);
    return last;
  };

  return {
    async read() {
      await looked();
      return lists;
    },
    async problem() {
      await looked();
      return problem;
    },
  };
};
