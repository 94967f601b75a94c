import type { Json, JsonObject } from '../../schema/json/json.ts';
import type { SyntaxMessages } from './syntax-messages.ts';

/** A part of a text. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
}

interface Placed extends Piece {
  /** How many characters of an object or a list are shown if it is meant as a whole: its bracket, the first key, an alias. */
  readonly head?: number;
  /** The value at the anchor to which an alias refers. The members are those of that value. */
  readonly anchored?: SyntaxNode;
}

/** A value of a JSON or YAML text with its place. */
export type SyntaxNode =
  | (Placed & { readonly kind: 'object'; readonly members: readonly SyntaxMember[] })
  | (Placed & { readonly kind: 'array'; readonly items: readonly SyntaxNode[] })
  | (Placed & { readonly kind: 'literal'; readonly value: Json });

export interface SyntaxMember {
  readonly name: string;
  readonly key: Piece;
  readonly value: SyntaxNode;
}

/** A text that was read: its tree, or its first error and the place of that error. */
export type SyntaxReading =
  | { readonly ok: true; readonly root: SyntaxNode }
  | (SyntaxMessages & Piece & { readonly ok: false });

/** Returns the value of a tree. If a key occurs twice, the last one counts. */
export const toValue = (node: SyntaxNode): Json => {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'array':
      return node.items.map(toValue);
    case 'object':
      return toObject(node.members);
  }
};

/** Does what `Object.fromEntries` does in a third of its time, because a config may have a hundred thousand members. */
const toObject = (members: readonly SyntaxMember[]): JsonObject => {
  const object: Record<string, Json> = {};
  // An assignment would set the prototype.
  for (const { name, value } of members)
    if (name === '__proto__')
      Object.defineProperty(object, name, {
        value: toValue(value),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    else object[name] = toValue(value);
  return object;
};
