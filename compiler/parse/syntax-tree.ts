import type { Json, JsonObject } from '../../schema/json/json.ts';

interface Piece {
  readonly offset: number;
  readonly length: number;
}

/** A value of a JSON text with its place. */
export type SyntaxNode =
  | (Piece & { readonly kind: 'object'; readonly members: readonly SyntaxMember[] })
  | (Piece & { readonly kind: 'array'; readonly items: readonly SyntaxNode[] })
  | (Piece & { readonly kind: 'literal'; readonly value: Json });

export interface SyntaxMember {
  readonly name: string;
  readonly key: Piece;
  readonly value: SyntaxNode;
}

/** The value a tree stands for; where a key occurs twice the last one counts. */
export const toValue = (node: SyntaxNode): Json => {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'array':
      return node.items.map(toValue);
    case 'object':
      return Object.fromEntries(node.members.map(({ name, value }) => [name, toValue(value)])) satisfies JsonObject;
  }
};
