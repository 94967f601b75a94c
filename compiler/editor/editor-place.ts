import type { Piece } from '../parse/syntax-tree.ts';

export type { Piece };

/** The names and indexes that lead from the root of a document to a value. */
export type EditorPath = readonly (string | number)[];

/** The place of a cursor. */
export interface EditorPlace {
  /** The path to the member that contains it. The last step is the part of a key that is written so far. */
  readonly path: EditorPath;
  readonly isKey: boolean;
  /** The path of the value that can be written there instead of a key: the item of a list in YAML. */
  readonly valuePath?: EditorPath;
  /** The literal or key that it is in or at, or the empty piece at the cursor. */
  readonly piece: Piece;
  /** The text of that literal or key; absent if there is none. */
  readonly text?: string;
}
