import { cpSync, globSync } from 'node:fs';
import path from 'node:path';
import { docs } from './pages.ts';

const root = path.join(docs, '..');

/** The files of the package that readers look at or copy: the changelog, manifests, a unit, rules and a dashboard. */
const files: ReadonlySet<string> = new Set(
  globSync(['CHANGELOG.md', 'deploy/{grafana,kubernetes,prometheus,systemd}/*'], { cwd: root }).map((file) =>
    file.split(path.sep).join('/'),
  ),
);

/** Where the site has a file of the repository, if it has it: a path below the site's own. */
export const toDownload = (source: string): string | undefined => (files.has(source) ? `files/${source}` : undefined);

/** Whether a link of a page leads to such a file. */
export const isDownload = (href: string): boolean => /^(?:\.\.\/)*files\//.test(href);

/** Copies the files into a built site. */
export const copyDownloads = (folder: string): void => {
  for (const file of files) cpSync(path.join(root, file), path.join(folder, 'files', file));
};
