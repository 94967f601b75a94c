import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { indexOptions, searchOptions } from '../../../../docs/.vitepress/search.ts';

export interface Found {
  /** The address, with the base path. */
  readonly id: string;
  /** The heading, as HTML without tags. */
  readonly title: string;
}

/** Loads the search of a built site, with its index and the options used in the browser. */
export const readSearch = async (folder: string): Promise<(query: string) => readonly Found[]> => {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: folder });
  const module: { readonly default: string } = await import(pathToFileURL(path.join(folder, file)).href);
  const index = MiniSearch.loadJSON<Found>(module.default, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions,
    ...indexOptions,
  });
  return (query) => index.search(query).map(({ id, title }) => ({ id, title }));
};
