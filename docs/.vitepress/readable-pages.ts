import path from 'node:path';
import type { UserConfig } from 'vitepress';
import { toReadable } from './markdown-of-page.ts';
import { docs } from './pages.ts';

/** Converts the Markdown of each page for readers of the site before VitePress renders it. */
export const readablePages: NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number] = {
  name: 'readable-pages',
  enforce: 'pre',
  transform: (text, id) => (id.endsWith('.md') ? toReadable(text, path.relative(docs, id)) : undefined),
};
