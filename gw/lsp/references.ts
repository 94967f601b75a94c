import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EditorDocument, type Piece } from '../../compiler/editor/editor-document.ts';
import {
  type EditorSymbol,
  isSameSymbol,
  type Occurrence,
  occurrencesIn,
  savedOccurrencesIn,
} from '../../compiler/editor/symbols.ts';
import { hasFileEnding } from '../../schema/config/file-names.ts';
import { isJson, type Project } from './projects.ts';

/** A place of a file where a symbol is named. */
export interface FoundReference {
  readonly file: string;
  readonly text: string;
  readonly piece: Piece;
  readonly isDefinition: boolean;
}

/** Files of a folder of configs that are looked at; one with more is no folder of configs. */
const maxFiles = 10_000;
const maxBytes = 16 * 1024 * 1024;

/** The symbols that a file names. */
export const occurrencesOf = (file: string, text: string, { gatewayFile }: Project): readonly Occurrence[] => {
  const document = new EditorDocument(text);
  return file === gatewayFile ? [...savedOccurrencesIn(document), ...occurrencesIn(document)] : occurrencesIn(document);
};

const configsIn = (folder: string): readonly string[] => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && hasFileEnding(entry.name))
    .slice(0, maxFiles)
    .map(({ parentPath, name }) => path.join(parentPath, name));
};

const readSmall = (file: string): string | undefined => {
  try {
    const text = readFileSync(file);
    return text.length > maxBytes ? undefined : text.toString('utf8');
  } catch {
    return undefined;
  }
};

/** The files that may name a symbol: that of a target alone, and for what is saved all of the project. */
const filesFor = (symbol: EditorSymbol, file: string, { environment, gatewayFile }: Project): readonly string[] => {
  if (symbol.kind === 'target') return [file];
  const { configsFolder } = environment;
  const configs = configsFolder === undefined ? [] : configsIn(configsFolder);
  return [...new Set([file, ...(gatewayFile === undefined ? [] : [gatewayFile]), ...configs])];
};

/** The places where a symbol is named. */
export interface FoundReferences {
  readonly references: readonly FoundReference[];
  /** A file that may name it and is not looked into: one of YAML. */
  readonly unread: string | undefined;
}

/** Finds all places of a project where a symbol is named. `openText` is the text of a file as it is in the editor. */
export const findReferences = (
  { symbol, file }: { readonly symbol: EditorSymbol; readonly file: string },
  project: Project,
  openText: (file: string) => string | undefined,
): FoundReferences => {
  const files = filesFor(symbol, file, project);
  const references = files.filter(isJson).flatMap((each) => {
    const text = openText(each) ?? readSmall(each);
    if (text === undefined) return [];
    return occurrencesOf(each, text, project)
      .filter((occurrence) => isSameSymbol(occurrence.symbol, symbol))
      .map(({ piece, isDefinition }) => ({ file: each, text, piece, isDefinition }));
  });
  return { references, unread: files.find((each) => !isJson(each)) };
};
