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
  /** Its name says its format. */
  readonly file: string;
  readonly text: string;
  /** Whether it is the gateway file, which saves what configs name. */
  readonly isGatewayFile: boolean;
}

/** A place of a file where a symbol is named. */
export interface FoundReference {
  readonly file: string;
  readonly text: string;
  readonly piece: Piece;
  readonly isDefinition: boolean;
  /** The change that gives it another name. */
  rename(name: string): TextChange;
}

const documentOf = ({ file, text }: EditorFile): EditorDocument => new EditorDocument(text, fileFormat(file));

const occurrencesOf = (document: EditorDocument, { isGatewayFile }: EditorFile): readonly Occurrence[] =>
  isGatewayFile ? [...savedOccurrencesIn(document), ...occurrencesIn(document)] : occurrencesIn(document);

/** The occurrence that a cursor is in, or right behind. */
export const occurrenceAt = (file: EditorFile, offset: number): Occurrence | undefined =>
  occurrencesOf(documentOf(file), file).find(
    ({ piece }) => offset >= piece.offset && offset <= piece.offset + piece.length,
  );

/** Finds all places of files where a symbol is named. */
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
