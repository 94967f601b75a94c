import type {
  CodeAction,
  CompletionItem,
  Diagnostic as EditorDiagnostic,
  Location,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Completion } from '../../compiler/editor/complete.ts';
import type { Piece } from '../../compiler/editor/editor-document.ts';
import type { FoundReference } from '../../compiler/editor/find-references.ts';
import type { QuickFix } from '../../compiler/editor/quick-fixes.ts';
import type { TextChange } from '../../compiler/editor/text-change.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import type { LoadedLanguageServer } from './load-language-server.ts';

const source = 'gatewright';

/** Converts the compiler's results to the terms of the protocol. */
export class ToProtocol {
  readonly #loaded: LoadedLanguageServer;
  readonly #toUri: (file: string) => string;

  constructor(loaded: LoadedLanguageServer, toUri: (file: string) => string) {
    this.#loaded = loaded;
    this.#toUri = toUri;
  }

  range(document: TextDocument, { offset, length }: Piece): Range {
    return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
  }

  diagnostic(document: TextDocument, { code, severity, message, hint, span }: Diagnostic): EditorDiagnostic {
    const { DiagnosticSeverity: levels } = this.#loaded.server;
    return {
      range: this.range(document, span),
      severity: { error: levels.Error, warning: levels.Warning, note: levels.Information }[severity],
      message: hint === undefined ? message : `${message}\n${hint}`,
      ...{ code, source },
    };
  }

  /** Returns the reason why a file is not checked, as an error at its beginning. */
  unchecked(document: TextDocument, message: string): EditorDiagnostic {
    const { DiagnosticSeverity: levels } = this.#loaded.server;
    return { range: this.range(document, { offset: 0, length: 1 }), severity: levels.Error, message, source };
  }

  completion(document: TextDocument, found: Completion, at: number): CompletionItem {
    const { label, kind, text, piece, describe } = found;
    const { server } = this.#loaded;
    const { Property, Value, Reference } = server.CompletionItemKind;
    const offset = piece.offset;
    return {
      ...{ label, kind: { member: Property, value: Value, name: Reference }[kind] },
      sortText: String(at).padStart(5, '0'),
      // Editors compare this with everything that is replaced, including its quotes.
      filterText: /^["']/.test(document.getText().charAt(offset)) && piece.length > 0 ? JSON.stringify(label) : label,
      textEdit: { range: this.range(document, piece), newText: text },
      insertTextMode: server.InsertTextMode.asIs,
      ...(describe === undefined ? {} : { documentation: { kind: 'markdown', value: describe } }),
    };
  }

  location({ file, text, piece }: Pick<FoundReference, 'file' | 'text' | 'piece'>): Location {
    const uri = this.#toUri(file);
    return { uri, range: this.range(this.#document(uri, text), piece) };
  }

  /** Returns the changes that rename a symbol. */
  renames(references: readonly FoundReference[], name: string): WorkspaceEdit {
    const changes: NonNullable<WorkspaceEdit['changes']> = {};
    for (const each of references) {
      const uri = this.#toUri(each.file);
      changes[uri] ??= [];
      changes[uri].push(this.#edit(this.#document(uri, each.text), each.rename(name)));
    }
    return { changes };
  }

  codeAction(document: TextDocument, { title, isSafe, diagnostic, change }: QuickFix): CodeAction {
    const { CodeActionKind } = this.#loaded.server;
    const { uri, version } = document;
    return {
      ...{ title, kind: CodeActionKind.QuickFix, isPreferred: isSafe },
      diagnostics: [this.diagnostic(document, diagnostic)],
      // A text that has changed in the meantime is not edited.
      edit: { documentChanges: [{ textDocument: { uri, version }, edits: [this.#edit(document, change)] }] },
    };
  }

  #edit(document: TextDocument, { piece, text }: TextChange): TextEdit {
    return { range: this.range(document, piece), newText: text };
  }

  #document(uri: string, text: string): TextDocument {
    return this.#loaded.documents.TextDocument.create(uri, 'json', 0, text);
  }
}
