import { createRequire } from 'node:module';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';

export type LanguageServer = typeof import('vscode-languageserver/node');
export type TextDocuments = typeof import('vscode-languageserver-textdocument');

const packages = 'vscode-languageserver@11 vscode-languageserver-textdocument@1';

export interface LoadedLanguageServer {
  readonly server: LanguageServer;
  readonly documents: TextDocuments;
}

/** Loads the packages that only editors need. Throws a `UsageError` if they are not installed; `require` is replaced in tests. */
export const loadLanguageServer = (
  require: (name: string) => unknown = createRequire(import.meta.url),
): LoadedLanguageServer => {
  try {
    // The exports of a package have no type at run time; those of these two are known by their names.
    return {
      server: require('vscode-languageserver/node') as LanguageServer,
      documents: require('vscode-languageserver-textdocument') as TextDocuments,
    };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new UsageError(
      'The language server needs the packages vscode-languageserver and vscode-languageserver-textdocument, which are not installed here.',
      `Install them: npm install --save-dev ${packages}`,
    );
  }
};
