import { cpSync, globSync } from 'node:fs';
import path from 'node:path';
import { docs } from './pages.ts';

const root = path.join(docs, '..');

/** The files of the package that readers view or copy: the changelog, manifests, a systemd unit, rules and a dashboard. */
const files: ReadonlySet<string> = new Set(
  globSync(['CHANGELOG.md', 'deploy/{grafana,kubernetes,prometheus,systemd}/*'], { cwd: root }).map((file) =>
    file.split(path.sep).join('/'),
  ),
);

/** Returns the path of a repository file on the site, or undefined if the site does not have it. */
export const toDownload = (source: string): string | undefined => (files.has(source) ? `files/${source}` : undefined);

/** Whether a link points to such a file. */
export const isDownload = (href: string): boolean => /^(?:\.\.\/)*files\//.test(href);

/** Copies the files into the built site. */
export const copyDownloads = (folder: string): void => {
  for (const file of files) cpSync(path.join(root, file), path.join(folder, 'files', file));
};
