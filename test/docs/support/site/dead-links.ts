import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface BuiltPage {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

const toText = (attribute: string): string => attribute.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

const readBuilt = (html: string): BuiltPage => ({
  ids: new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => toText(id))),
  links: [...new Set([...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => toText(link)))],
});

/** Returns the links, scripts and styles of a built site that point to a missing file or heading, as `page: link`. */
export const deadLinks = (folder: string, base: string): readonly string[] => {
  const files = new Set(globSync('**/*.*', { cwd: folder }).map((file) => file.split(path.sep).join('/')));
  const built = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readBuilt(readFileSync(path.join(folder, file), 'utf8'))]),
  );
  const isDead = (link: string, from: string): boolean => {
    const { origin, pathname, hash } = new URL(link, `http://site${base}${from}`);
    if (origin !== 'http://site') return false;
    if (!pathname.startsWith(base)) return true;
    const file = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
    if (!files.has(file)) return true;
    return hash !== '' && built.get(file)?.ids.has(decodeURIComponent(hash.slice(1))) !== true;
  };
  return [...built].flatMap(([from, { links }]) =>
    links.filter((link) => isDead(link, from)).map((link) => `${from}: ${link}`),
  );
};
