import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CodeActionParams,
  CompletionItem,
  Connection,
  Diagnostic as EditorDiagnostic,
  Hover,
  Location,
  Range,
  TextDocumentPositionParams,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readGatewayFile } from '../../compiler/cli/files/read-gateway-file.ts';
import { complete, hover } from '../../compiler/editor/complete.ts';
import { EditorDocument } from '../../compiler/editor/editor-document.ts';
import {
  type EditorFile,
  type FoundReference,
  findReferences,
  occurrenceAt,
} from '../../compiler/editor/find-references.ts';
import type { EditorProject } from '../../compiler/editor/known-names.ts';
import { type CompiledText, quickFixes } from '../../compiler/editor/quick-fixes.ts';
import { type Occurrence, renameProblem } from '../../compiler/editor/symbols.ts';
import { fileFormat } from '../../compiler/parse/read-tree.ts';
import { ownVersion } from '../../plugins/host/loading/own-version.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import { gatewayFileNames } from '../../schema/config/file-names.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { LoadedLanguageServer } from './load-language-server.ts';
import { isConfig, type OpenServices, type Project, Projects } from './projects.ts';
import { readFilesFor } from './references.ts';
import { Scheduler } from './scheduler.ts';
import { ToProtocol } from './to-protocol.ts';

/** Returns the file of a document; undefined if it is not saved in a file of this machine. */
const toFile = (uri: string): string | undefined => {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
};

/** A file that a request is about: a config, or the gateway file. */
interface Asked {
  readonly document: TextDocument;
  readonly file: string;
  readonly project: Project;
}

interface AskedAt extends Asked {
  readonly offset: number;
}

/** A symbol at a cursor, and the places that name it. */
interface FoundSymbol {
  /** The version of the text that the request is about. */
  readonly version: number;
  readonly occurrence: Occurrence;
  readonly references: readonly FoundReference[];
}

/** Returns the project with the schema of the file, which is a different one for a gateway file. */
const meaning = ({ file, project }: Asked): EditorProject =>
  file === project.gatewayFile ? { ...project, schema: project.gatewaySchema } : project;

/** Returns why a file is not checked, in a sentence; undefined if it is. */
const whyUnchecked = ({ file, project: { conflict, unread, gatewayFile } }: Asked): string | undefined =>
  conflict ?? (file === gatewayFile ? undefined : unread);

const parsed = ({ document, file }: Asked): EditorDocument => new EditorDocument(document.getText(), fileFormat(file));

/** Serves an editor with the language server protocol until it closes the connection. */
export class EditorSession {
  readonly #connection: Connection;
  readonly #loaded: LoadedLanguageServer;
  readonly #documents;
  /** The open documents, by file, because editors differ in which characters of a path they encode. */
  readonly #uris = new Map<string, string>();
  readonly #projects: Projects;
  readonly #to: ToProtocol;
  readonly #checks: Scheduler;

  constructor(connection: Connection, loaded: LoadedLanguageServer, openServices: OpenServices) {
    const { server, documents } = loaded;
    this.#connection = connection;
    this.#loaded = loaded;
    this.#to = new ToProtocol(loaded, (file) => this.#toUri(file));
    this.#documents = new server.TextDocuments(documents.TextDocument);
    this.#projects = new Projects({
      openServices,
      openText: (file) => this.#openText(file),
      note: (text) => connection.console.warn(text.trimEnd()),
    });
    this.#checks = new Scheduler((uri) =>
      this.#check(uri).catch((error: unknown) => connection.console.error(errorText(error))),
    );
    connection.onInitialize(() => ({
      capabilities: {
        textDocumentSync: server.TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['"', '@', ':', ' '] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        codeActionProvider: { codeActionKinds: [server.CodeActionKind.QuickFix] },
      },
      serverInfo: { name: 'gatewright', version: ownVersion() },
    }));
    connection.onCompletion((asked) => this.#completions(asked));
    connection.onHover((asked) => this.#hover(asked));
    connection.onDefinition((asked) => this.#definitions(asked));
    connection.onReferences((asked) => this.#references(asked, asked.context.includeDeclaration));
    connection.onPrepareRename((asked) => this.#renamed(asked));
    connection.onRenameRequest((asked) => this.#rename(asked, asked.newName));
    connection.onCodeAction((asked) => this.#codeActions(asked));
    connection.onDidChangeWatchedFiles(() => {
      this.#projects.forget();
      this.#checkAll();
    });
    this.#documents.onDidOpen(({ document: { uri } }) => {
      const file = toFile(uri);
      if (file !== undefined) this.#uris.set(file, uri);
    });
    this.#documents.onDidChangeContent(({ document }) => this.#changed(document));
    this.#documents.onDidClose(({ document }) => {
      const file = toFile(document.uri);
      if (file !== undefined && this.#uris.get(file) === document.uri) this.#uris.delete(file);
      void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
      // From now on, its text on the disk counts again.
      this.#changed(document);
    });
    this.#documents.listen(connection);
  }

  #toUri(file: string): string {
    return this.#uris.get(file) ?? pathToFileURL(file).href;
  }

  #openText(file: string): string | undefined {
    const uri = this.#uris.get(file);
    return uri === undefined ? undefined : this.#documents.get(uri)?.getText();
  }

  #changed({ uri }: TextDocument): void {
    const file = toFile(uri);
    // All configs know what a gateway file saves.
    if (file !== undefined && gatewayFileNames.includes(path.basename(file))) this.#checkAll();
    else this.#checks.schedule(uri);
  }

  #checkAll(): void {
    for (const { uri } of this.#documents.all()) this.#checks.schedule(uri);
  }

  async #check(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    if (document === undefined) return;
    const { version } = document;
    const diagnostics = await this.#diagnose(this.#snapshot(document));
    // A newer text has its own check.
    if (this.#documents.get(uri)?.version !== version) return;
    await this.#connection.sendDiagnostics({ uri, version, diagnostics });
  }

  /** Returns a copy of the document as it is now, because typing changes the document itself. */
  #snapshot(document: TextDocument): TextDocument {
    const { uri, languageId, version } = document;
    return this.#loaded.documents.TextDocument.create(uri, languageId, version, document.getText());
  }

  async #diagnose(document: TextDocument): Promise<EditorDiagnostic[]> {
    const asked = await this.#asked(document);
    if (asked === undefined) return [];
    const reason = whyUnchecked(asked);
    if (reason !== undefined) return [this.#to.unchecked(document, reason)];
    const { diagnostics } = await this.#compile(asked, document.getText());
    return diagnostics.map((each) => this.#to.diagnostic(document, each));
  }

  async #compile({ file, project }: Asked, text: string): Promise<CompiledText> {
    const { environment, gatewayFile, services } = project;
    // Plugins are loaded for the gateway file as it is in the editor, but not for each possible fix of it.
    if (file === gatewayFile) {
      const isOpen = text === this.#openText(file);
      return { file, text, ...(isOpen ? environment : readGatewayFile(text, path.basename(file))) };
    }
    const name = path.basename(file).replace(/\.[^.]*$/, '');
    return { ...(await services.compile(text, { environment, file, name })), file, text };
  }

  /** Returns the file of a document; undefined if it does not belong to a gateway. */
  async #asked(document: TextDocument | undefined): Promise<Asked | undefined> {
    const file = document && toFile(document.uri);
    if (document === undefined || file === undefined) return undefined;
    const project = await this.#projects.of(file);
    if (file !== project.gatewayFile && !isConfig(file, document.getText(), project)) return undefined;
    return { document, file, project };
  }

  /** Returns the file of an open document, with its current text. */
  #openAsked(uri: string): Promise<Asked | undefined> {
    const open = this.#documents.get(uri);
    return this.#asked(open && this.#snapshot(open));
  }

  async #askedAt({ textDocument, position }: TextDocumentPositionParams): Promise<AskedAt | undefined> {
    const asked = await this.#openAsked(textDocument.uri);
    return asked && { ...asked, offset: asked.document.offsetAt(position) };
  }

  async #completions(given: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const asked = await this.#askedAt(given);
    if (asked === undefined) return [];
    const { document, offset } = asked;
    // The parameters of a check are known only after its code is loaded.
    const found = await whenLoaded(() => complete(parsed(asked), offset, meaning(asked)));
    return found.map((each, at) => this.#to.completion(document, each, at));
  }

  async #hover(given: TextDocumentPositionParams): Promise<Hover | null> {
    const asked = await this.#askedAt(given);
    if (asked === undefined) return null;
    const { document, offset } = asked;
    const found = await whenLoaded(() => hover(parsed(asked), offset, meaning(asked)));
    if (found === undefined) return null;
    return { contents: { kind: 'markdown', value: found.text }, range: this.#to.range(document, found.piece) };
  }

  #occurrence({ document, file, project, offset }: AskedAt): Occurrence | undefined {
    const asked: EditorFile = { file, text: document.getText(), isGatewayFile: file === project.gatewayFile };
    return occurrenceAt(asked, offset);
  }

  async #found(given: TextDocumentPositionParams): Promise<FoundSymbol | undefined> {
    const asked = await this.#askedAt(given);
    const occurrence = asked && this.#occurrence(asked);
    if (asked === undefined || occurrence === undefined) return undefined;
    const { symbol } = occurrence;
    const { document, file: own, project } = asked;
    const files = readFilesFor({ symbol, file: own }, project, (file) =>
      file === own ? document.getText() : this.#openText(file),
    );
    return { version: document.version, occurrence, references: findReferences(symbol, files) };
  }

  async #definitions(given: TextDocumentPositionParams): Promise<Location[]> {
    const { references = [] } = (await this.#found(given)) ?? {};
    return references.filter(({ isDefinition }) => isDefinition).map((each) => this.#to.location(each));
  }

  async #references(given: TextDocumentPositionParams, withDefinitions: boolean): Promise<Location[]> {
    const { references = [] } = (await this.#found(given)) ?? {};
    return references
      .filter(({ isDefinition }) => withDefinitions || !isDefinition)
      .map((each) => this.#to.location(each));
  }

  async #renamed(given: TextDocumentPositionParams): Promise<Range | null> {
    const asked = await this.#askedAt(given);
    const occurrence = asked && this.#occurrence(asked);
    return asked === undefined || occurrence === undefined ? null : this.#to.range(asked.document, occurrence.piece);
  }

  async #rename(given: TextDocumentPositionParams, name: string): Promise<WorkspaceEdit | null> {
    const found = await this.#found(given);
    if (found === undefined) return null;
    const { ResponseError, ErrorCodes, LSPErrorCodes } = this.#loaded.server;
    const problem = renameProblem(found.occurrence.symbol, name);
    if (problem !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, problem);
    if (this.#documents.get(given.textDocument.uri)?.version !== found.version)
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed. Rename again.');
    return this.#to.renames(found.references, name);
  }

  async #codeActions({ textDocument, range, context: { only } }: CodeActionParams): Promise<CodeAction[]> {
    const { CodeActionKind } = this.#loaded.server;
    if (only !== undefined && !only.some((kind) => kind === '' || kind === CodeActionKind.QuickFix)) return [];
    const asked = await this.#openAsked(textDocument.uri);
    if (asked === undefined || whyUnchecked(asked) !== undefined) return [];
    const { document } = asked;
    const compile = (text: string): Promise<CompiledText> => this.#compile(asked, text);
    const offset = document.offsetAt(range.start);
    const fixes = await quickFixes(
      await compile(document.getText()),
      { offset, length: document.offsetAt(range.end) - offset },
      { project: meaning(asked), compile },
    );
    return fixes.map((each) => this.#to.codeAction(document, each));
  }
}
