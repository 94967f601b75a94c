import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const folder: string = path.join(import.meta.dirname, '../../../docs/reference');

/** The pages of the reference, by their path below `docs/reference`. That they are fresh is a step of `npm run check`. */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync('**/*.md', { cwd: folder })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
);

/** The headings of a page, without their marks of code. */
export const headings = (page: string): readonly string[] =>
  [...(pages.get(page) ?? '').matchAll(/^#{2,4} (.*)$/gm)].map(([, text = '']) => text.replaceAll('`', ''));

/** The headings of all pages whose path begins so. */
export const headingsBelow = (place: string): readonly string[] =>
  [...pages.keys()].filter((page) => page.startsWith(place)).flatMap(headings);

/** A block of code of a page. */
export interface Block {
  readonly page: string;
  readonly text: string;
}

/** The blocks in a language of all pages whose path begins so. */
export const blocksBelow = (place: string, language: string): readonly Block[] =>
  [...pages]
    .filter(([page]) => page.startsWith(place))
    .flatMap(([page, text]) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(([, block = '']) => ({
        page,
        text: block,
      })),
    );
