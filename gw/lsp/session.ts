import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
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
import { complete, hover } from '../../compiler/editor/complete.ts';
import { EditorDocument, type Piece } from '../../compiler/editor/editor-document.ts';
import { type Occurrence, occurrenceAt, renameProblem } from '../../compiler/editor/symbols.ts';
import { ownVersion } from '../../plugins/host/loading/own-version.ts';
import { whenLoaded } from '../../plugins/sdk/modules/when-loaded.ts';
import { gatewayFileNames } from '../../schema/config/file-names.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { errorText } from '../../schema/text/error-text.ts';
import type { LoadedLanguageServer } from './load-language-server.ts';
import { isConfig, isJson, type OpenServices, type Project, Projects } from './projects.ts';
import { type FoundReference, type FoundReferences, findReferences, occurrencesOf } from './references.ts';

/** How long nothing is typed before a text is compiled, in milliseconds. */
const quietMs = 40;

const source = 'gatewright';

/** The file of a document; undefined for one that is not saved in a file. */
const toFile = (uri: string): string | undefined => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined);

interface Asked {
  readonly document: TextDocument;
  readonly file: string;
  readonly project: Project;
  readonly offset: number;
}

/** A symbol at a cursor, and where it is named. */
interface FoundSymbol extends FoundReferences {
  readonly occurrence: Occurrence;
}

/** Serves an editor by the language server protocol, until it closes the connection. */
export class EditorSession {
  readonly #connection: Connection;
  readonly #loaded: LoadedLanguageServer;
  readonly #documents;
  readonly #projects: Projects;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(connection: Connection, loaded: LoadedLanguageServer, openServices: OpenServices) {
    const { server, documents } = loaded;
    this.#connection = connection;
    this.#loaded = loaded;
    this.#documents = new server.TextDocuments(documents.TextDocument);
    this.#projects = new Projects({
      openServices,
      openText: (file) => this.#openText(file),
      note: (text) => connection.console.warn(text.trimEnd()),
    });
    connection.onInitialize(() => ({
      capabilities: {
        textDocumentSync: server.TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['"', '@', ':', ' '] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
      },
      serverInfo: { name: 'gatewright', version: ownVersion() },
    }));
    connection.onCompletion((asked) => this.#completions(asked));
    connection.onHover((asked) => this.#hover(asked));
    connection.onDefinition((asked) => this.#definitions(asked));
    connection.onReferences((asked) => this.#references(asked, asked.context.includeDeclaration));
    connection.onPrepareRename((asked) => this.#renamed(asked));
    connection.onRenameRequest((asked) => this.#rename(asked, asked.newName));
    connection.onDidChangeWatchedFiles(() => {
      this.#projects.forget();
      this.#checkAll();
    });
    this.#documents.onDidChangeContent(({ document }) => this.#changed(document));
    this.#documents.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#timers.get(uri));
      this.#timers.delete(uri);
      void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
    this.#documents.listen(connection);
  }

  #openText(file: string): string | undefined {
    return this.#documents.get(pathToFileURL(file).href)?.getText();
  }

  #changed(document: TextDocument): void {
    const file = toFile(document.uri);
    // What a gateway file saves is known to all configs.
    if (file !== undefined && gatewayFileNames.includes(path.basename(file))) this.#checkAll();
    else this.#schedule(document);
  }

  #checkAll(): void {
    for (const document of this.#documents.all()) this.#schedule(document);
  }

  #schedule({ uri }: TextDocument): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.set(
      uri,
      setTimeout(() => {
        this.#timers.delete(uri);
        this.#check(uri).catch((error: unknown) => this.#connection.console.error(errorText(error)));
      }, quietMs),
    );
  }

  async #check(uri: string): Promise<void> {
    const [document, file] = [this.#documents.get(uri), toFile(uri)];
    if (document === undefined || file === undefined) return;
    const { version } = document;
    const found = await this.#diagnose(document, file);
    // A newer text is checked by itself.
    if (this.#documents.get(uri)?.version !== version) return;
    const diagnostics = found.map((each) => this.#toDiagnostic(document, each));
    await this.#connection.sendDiagnostics({ uri, version, diagnostics });
  }

  async #diagnose(document: TextDocument, file: string): Promise<readonly Diagnostic[]> {
    const project = await this.#projects.of(file);
    const { environment, gatewayFile, services } = project;
    if (file === gatewayFile) return environment.diagnostics;
    const text = document.getText();
    if (!isConfig(file, text, project)) return [];
    const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
    return (await services.compile(text, { environment, file, name })).diagnostics;
  }

  #toDiagnostic(document: TextDocument, { code, severity, message, hint, span }: Diagnostic): EditorDiagnostic {
    const { DiagnosticSeverity: levels } = this.#loaded.server;
    return {
      range: this.#toRange(document, span),
      severity: { error: levels.Error, warning: levels.Warning, note: levels.Information }[severity],
      message: hint === undefined ? message : `${message}\n${hint}`,
      ...{ code, source },
    };
  }

  #toRange(document: TextDocument, { offset, length }: Piece): Range {
    return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
  }

  /** The document that is asked about; undefined if it is none of a gateway. */
  async #asked({ textDocument, position }: TextDocumentPositionParams): Promise<Asked | undefined> {
    const [document, file] = [this.#documents.get(textDocument.uri), toFile(textDocument.uri)];
    if (document === undefined || file === undefined || !isJson(file)) return undefined;
    const project = await this.#projects.of(file);
    if (file !== project.gatewayFile && !isConfig(file, document.getText(), project)) return undefined;
    return { document, file, project, offset: document.offsetAt(position) };
  }

  async #completions(given: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const asked = await this.#asked(given);
    if (asked === undefined || asked.file === asked.project.gatewayFile) return [];
    const { document, offset, project } = asked;
    const { Property, Value, Reference } = this.#loaded.server.CompletionItemKind;
    const kinds = { member: Property, value: Value, name: Reference };
    // The parameters of a check are known when its code is loaded.
    const found = await whenLoaded(() => complete(new EditorDocument(document.getText()), offset, project));
    return found.map(({ label, kind, text, piece, describe }, at) => ({
      ...{ label, kind: kinds[kind], sortText: String(at).padStart(5, '0') },
      // Editors compare this with the whole of what is replaced, with its quotes.
      filterText: piece.length === 0 ? label : JSON.stringify(label),
      textEdit: { range: this.#toRange(document, piece), newText: text },
      ...(describe === undefined ? {} : { documentation: { kind: 'markdown' as const, value: describe } }),
    }));
  }

  async #hover(given: TextDocumentPositionParams): Promise<Hover | null> {
    const asked = await this.#asked(given);
    if (asked === undefined || asked.file === asked.project.gatewayFile) return null;
    const { document, offset, project } = asked;
    const found = await whenLoaded(() => hover(new EditorDocument(document.getText()), offset, project));
    if (found === undefined) return null;
    return { contents: { kind: 'markdown', value: found.text }, range: this.#toRange(document, found.piece) };
  }

  #occurrence({ document, file, project, offset }: Asked): Occurrence | undefined {
    return occurrenceAt(occurrencesOf(file, document.getText(), project), offset);
  }

  async #found(given: TextDocumentPositionParams): Promise<FoundSymbol | undefined> {
    const asked = await this.#asked(given);
    const occurrence = asked && this.#occurrence(asked);
    if (asked === undefined || occurrence === undefined) return undefined;
    const named = { symbol: occurrence.symbol, file: asked.file };
    return { occurrence, ...findReferences(named, asked.project, (file) => this.#openText(file)) };
  }

  #toLocation({ file, text, piece }: FoundReference): Location {
    const { TextDocument } = this.#loaded.documents;
    const uri = pathToFileURL(file).href;
    return { uri, range: this.#toRange(TextDocument.create(uri, 'json', 0, text), piece) };
  }

  async #definitions(given: TextDocumentPositionParams): Promise<Location[]> {
    const { references = [] } = (await this.#found(given)) ?? {};
    return references.filter(({ isDefinition }) => isDefinition).map((each) => this.#toLocation(each));
  }

  async #references(given: TextDocumentPositionParams, withDefinitions: boolean): Promise<Location[]> {
    const { references = [] } = (await this.#found(given)) ?? {};
    return references
      .filter(({ isDefinition }) => withDefinitions || !isDefinition)
      .map((each) => this.#toLocation(each));
  }

  async #renamed(given: TextDocumentPositionParams): Promise<Range | null> {
    const asked = await this.#asked(given);
    const occurrence = asked && this.#occurrence(asked);
    return asked === undefined || occurrence === undefined ? null : this.#toRange(asked.document, occurrence.piece);
  }

  async #rename(given: TextDocumentPositionParams, name: string): Promise<WorkspaceEdit | null> {
    const found = await this.#found(given);
    if (found === undefined) return null;
    const problem =
      renameProblem(found.occurrence.symbol, name) ??
      (found.unread && `It may be named in ${found.unread}, and names in YAML are not changed. Rename it by hand.`);
    if (problem !== undefined) {
      const { ResponseError, ErrorCodes } = this.#loaded.server;
      throw new ResponseError(ErrorCodes.InvalidParams, problem);
    }
    const changes: NonNullable<WorkspaceEdit['changes']> = {};
    for (const each of found.references) {
      const { uri, range } = this.#toLocation(each);
      changes[uri] ??= [];
      changes[uri].push({ range, newText: name });
    }
    return { changes };
  }
}
