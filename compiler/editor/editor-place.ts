import type { Piece } from '../parse/syntax-tree.ts';

export type { Piece };

/** The names and indexes that lead from the root of a document to a value. */
export type EditorPath = readonly (string | number)[];

/** Where a cursor is. */
export interface EditorPlace {
  /** To the member that it is in; its last step is what is written so far of a key. */
  readonly path: EditorPath;
  readonly isKey: boolean;
  /** The path of the value that may stand there instead of a key: the item of a list in YAML. */
  readonly valuePath?: EditorPath;
  /** The literal or key that it is in or at, or the empty piece at the cursor. */
  readonly piece: Piece;
  /** The text of that literal or key; absent where there is none. */
  readonly text?: string;
}
