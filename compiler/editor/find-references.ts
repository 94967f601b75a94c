import { fileFormat } from '../parse/read-tree.ts';
import { EditorDocument, type Piece } from './editor-document.ts';
import {
  type EditorSymbol,
  isSameSymbol,
  type Occurrence,
  occurrencesIn,
  renamed,
  savedOccurrencesIn,
} from './symbols.ts';
import type { TextChange } from './text-change.ts';

/** A file of a project. */
export interface EditorFile {
  /** The name of the file, which determines its format. */
  readonly file: string;
  readonly text: string;
  /** Whether it is the gateway file, which saves what configs can name. */
  readonly isGatewayFile: boolean;
}

/** A place in a file that names a symbol. */
export interface FoundReference {
  readonly file: string;
  readonly text: string;
  readonly piece: Piece;
  readonly isDefinition: boolean;
  /** Returns the change that renames it. */
  rename(name: string): TextChange;
}

const documentOf = ({ file, text }: EditorFile): EditorDocument => new EditorDocument(text, fileFormat(file));

const occurrencesOf = (document: EditorDocument, { isGatewayFile }: EditorFile): readonly Occurrence[] =>
  isGatewayFile ? [...savedOccurrencesIn(document), ...occurrencesIn(document)] : occurrencesIn(document);

/** Returns the occurrence that a cursor is in or directly after. */
export const occurrenceAt = (file: EditorFile, offset: number): Occurrence | undefined =>
  occurrencesOf(documentOf(file), file).find(
    ({ piece }) => offset >= piece.offset && offset <= piece.offset + piece.length,
  );

/** Finds all places in files that name a symbol. */
export const findReferences = (symbol: EditorSymbol, files: readonly EditorFile[]): readonly FoundReference[] =>
  files.flatMap((each) => {
    const document = documentOf(each);
    return occurrencesOf(document, each)
      .filter((occurrence) => isSameSymbol(occurrence.symbol, symbol))
      .map(({ piece, isDefinition }) => ({
        ...{ file: each.file, text: each.text, piece, isDefinition },
        rename: (name: string) => renamed(document, { piece }, name),
      }));
  });
