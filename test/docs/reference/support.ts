import { referencePages } from '../../support/reference/pages.ts';

/** The pages that are made of the sources, by their path below `docs/reference`. */
export const pages: ReadonlyMap<string, string> = new Map(
  (await referencePages()).map(({ path, text }) => [path, text]),
);

/** The headings of a page, without their marks of code. */
export const headings = (path: string): readonly string[] =>
  [...(pages.get(path) ?? '').matchAll(/^#{2,4} (.*)$/gm)].map(([, text = '']) => text.replaceAll('`', ''));

/** The headings of all pages whose path begins so. */
export const headingsBelow = (folder: string): readonly string[] =>
  [...pages.keys()].filter((path) => path.startsWith(folder)).flatMap(headings);
