/** Returns the fragment of a heading by GitHub's rule, so that a link works both there and on the site. */
export const toSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
