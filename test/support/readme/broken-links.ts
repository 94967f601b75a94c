import { existsSync } from 'node:fs';
import path from 'node:path';

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The relative links of a Markdown text that lead nowhere, seen from its folder. */
export const brokenLinks = (markdown: string, folder: string): readonly string[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link) && !existsSync(path.join(folder, link)));
