declare const jsonPointer: unique symbol;

/** A place in a JSON document in the form of RFC 6901: `''` is the root, `/targets/0/name` a member. */
export type JsonPointer = string & { readonly [jsonPointer]: true };

export type PointerToken = string | number;

const escapeToken = (token: PointerToken): string =>
  typeof token === 'number' || !/[~/]/.test(token) ? String(token) : token.replaceAll('~', '~0').replaceAll('/', '~1');
const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the JSON Pointer of a place. */
export const toPointer = (tokens: readonly PointerToken[]): JsonPointer =>
  tokens.reduce<string>((pointer, token) => `${pointer}/${escapeToken(token)}`, '') as JsonPointer;

export const rootPointer: JsonPointer = toPointer([]);

export const childPointer = (parent: JsonPointer, ...tokens: readonly PointerToken[]): JsonPointer =>
  joinPointers(parent, toPointer(tokens));

/** Returns the pointer of a place whose pointer is known inside another place. */
export const joinPointers = (outer: JsonPointer, inner: JsonPointer): JsonPointer => (outer + inner) as JsonPointer;

export const fromPointer = (pointer: JsonPointer): readonly string[] =>
  pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeToken);

/**
 * Returns the name of a config's node in the response header `x-gw-last-used-option-index`:
 * `''` is `config`, `/targets/0/targets/2` is `config.targets[0].targets[2]`.
 */
export const toOptionPath = (pointer: JsonPointer): string =>
  fromPointer(pointer).reduce(
    (path, token) => (/^\d+$/.test(token) ? `${path}[${token}]` : `${path}.${token}`),
    'config',
  );
