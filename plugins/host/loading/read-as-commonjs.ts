/** Node's messages about `import`, `export` and the like in a file that it loads as CommonJS. */
const esmOnly = /outside a module|Unexpected token 'export'|'import\.meta'|await is only valid|top-level await/i;

/**
 * What to do about an ES module that Node loaded as CommonJS, as it does with `.js` and `.ts` files of a package that
 * `npm init -y` created; `undefined` if an error has another cause.
 */
export const commonJsHint = (error: unknown, file: string): string | undefined => {
  if (!(error instanceof SyntaxError) || !esmOnly.test(error.message)) return undefined;
  const [, end = ''] = /\.([jt]s)x?$/.exec(file) ?? [];
  if (end === '') return undefined;
  return `Node loads this ES module as CommonJS. Rename the file to .m${end}, or run: npm pkg set type=module`;
};
