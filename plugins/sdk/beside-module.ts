/** A module beside another one, as a source or as what was built of it. */
export const besideModule = (path: string, url: string): URL =>
  new URL(`${path}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
