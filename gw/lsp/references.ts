import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { EditorFile } from '../../compiler/editor/find-references.ts';
import type { EditorSymbol } from '../../compiler/editor/symbols.ts';
import { hasFileEnding } from '../../schema/config/file-names.ts';
import type { Project } from './projects.ts';

/** The maximum number of files in a folder of configs; a folder with more is not one. */
const maxFiles = 10_000;
const maxBytes = 16 * 1024 * 1024;

/** Lists the configs of a folder; empty if it does not exist yet. */
const configsIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && hasFileEnding(entry.name))
      .slice(0, maxFiles)
      .map(({ parentPath, name }) => path.join(parentPath, name));
  } catch {
    return [];
  }
};

const readSmall = (file: string): string | undefined => {
  try {
    if (!statSync(file).isFile()) return undefined;
    const text = readFileSync(file);
    // Places in a file do not count a byte order mark, as in editors.
    return text.length > maxBytes ? undefined : new TextDecoder().decode(text);
  } catch {
    return undefined;
  }
};

/** Returns the files that may name a symbol: for a target only its own file, for a saved record all files of the project. */
const filesFor = (symbol: EditorSymbol, file: string, { environment, gatewayFile }: Project): readonly string[] => {
  if (symbol.kind === 'target') return [file];
  const { configsFolder } = environment;
  const configs = configsFolder === undefined ? [] : configsIn(configsFolder);
  return [...new Set([file, ...(gatewayFile === undefined ? [] : [gatewayFile]), ...configs])];
};

/** Reads the files that may name a symbol. `openText` returns the text of a file as it is in the editor. */
export const readFilesFor = (
  { symbol, file }: { readonly symbol: EditorSymbol; readonly file: string },
  project: Project,
  openText: (file: string) => string | undefined,
): readonly EditorFile[] =>
  filesFor(symbol, file, project).flatMap((each) => {
    const text = openText(each) ?? readSmall(each);
    return text === undefined ? [] : [{ file: each, text, isGatewayFile: each === project.gatewayFile }];
  });
