import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { toSlug } from '../../../docs/.vitepress/slug.ts';

const withoutFences = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '');

const withoutCode = (markdown: string): string => withoutFences(markdown).replace(/`[^`\n]*`/g, '');

/** Returns the text of a heading without the marks of code and emphasis, and with the texts of its links. */
const toText = (heading: string): string => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** Returns the fragments of the headings in a Markdown text. Repeated headings get `-1`, `-2`. */
const fragments = (markdown: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = toSlug(toText(heading));
    let fragment = slug;
    for (let again = 1; found.has(fragment); again += 1) fragment = `${slug}-${again}`;
    found.add(fragment);
  }
  return found;
};

/** Returns the relative links in a Markdown text that refer to a missing file or heading, relative to its folder. */
export const brokenLinks = (markdown: string, folder: string): readonly string[] => {
  const isBroken = (link: string): boolean => {
    const [file = '', fragment] = link.split('#');
    const target = path.join(folder, file);
    if (file !== '' && !existsSync(target)) return true;
    if (fragment === undefined || (file !== '' && !(file.endsWith('.md') && statSync(target).isFile()))) return false;
    return !fragments(file === '' ? markdown : readFileSync(target, 'utf8')).has(fragment);
  };
  return [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link) && isBroken(link));
};
