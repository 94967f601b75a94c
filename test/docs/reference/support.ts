import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const folder: string = path.join(import.meta.dirname, '../../../docs/reference');

/**
 * The pages of the reference, by their path below `docs/reference`. A step of `npm run check` ensures that they are up to
 * date.
 */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync('**/*.md', { cwd: folder })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
);

/** Returns the headings of a page, without their code marks. */
export const headings = (page: string): readonly string[] =>
  [...(pages.get(page) ?? '').matchAll(/^#{2,4} (.*)$/gm)].map(([, text = '']) => text.replaceAll('`', ''));

/** Returns the headings of all pages below a path. */
export const headingsBelow = (place: string): readonly string[] =>
  [...pages.keys()].filter((page) => page.startsWith(place)).flatMap(headings);

/** A code block of a page. */
export interface Block {
  readonly page: string;
  readonly text: string;
}

/** Returns the blocks in a language of all pages below a path. */
export const blocksBelow = (place: string, language: string): readonly Block[] =>
  [...pages]
    .filter(([page]) => page.startsWith(place))
    .flatMap(([page, text]) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))].map(([, block = '']) => ({
        page,
        text: block,
      })),
    );
