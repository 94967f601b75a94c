import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const key = Symbol.for('gatewright.test.vscode');

/** An open document in the editor. */
export interface OpenDocument {
  readonly file: string;
  readonly languageId: string;
  readonly text: string;
}

export interface HostOptions {
  readonly workspaceFolder: string;
  readonly documents: readonly OpenDocument[];
  /** The gateway files that a search of the workspace finds. */
  readonly found?: readonly string[];
  readonly command?: string;
}

/** The results of the extension in the editor. */
export interface Host {
  /** Returns the codes of the findings that the editor shows for a file; undefined if it was given none. */
  codes(file: string): readonly unknown[] | undefined;
  readonly errors: readonly string[];
  /** The errors in its log. */
  readonly log: readonly string[];
  /** The patterns of the files that the extension watches. */
  readonly watched: readonly string[];
  /** The names of the registered commands. */
  readonly commands: readonly string[];
  run(command: string): Promise<unknown>;
  open(document: OpenDocument): void;
}

/** The module as VS Code loads it. */
export interface LoadedExtension {
  activate(context: { readonly subscriptions: { dispose(): void }[] }): Promise<void>;
  deactivate(): Promise<void>;
}

let loads = 0;

type Listener = (event: unknown) => unknown;

class EventEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener, self?: unknown): { dispose(): void } => {
    const bound = listener.bind(self);
    this.#listeners.add(bound);
    return { dispose: () => void this.#listeners.delete(bound) };
  };
  fire(event: unknown): void {
    for (const listener of this.#listeners) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

class Uri {
  readonly href: string;
  constructor(href: string) {
    this.href = href;
  }
  static file(file: string): Uri {
    return new Uri(pathToFileURL(file).href);
  }
  static parse(href: string): Uri {
    return new Uri(href);
  }
  get scheme(): string {
    return this.href.slice(0, this.href.indexOf(':'));
  }
  get fsPath(): string {
    return fileURLToPath(this.href);
  }
  toString(): string {
    return this.href;
  }
}

class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  cancel(): void {}
  dispose(): void {}
}

class Disposable {
  readonly dispose: () => void;
  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
}

class CodeActionKind {
  static readonly Empty = new CodeActionKind('');
  static readonly QuickFix = new CodeActionKind('quickfix');
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  append(part: string): CodeActionKind {
    return new CodeActionKind(this.value === '' ? part : `${this.value}.${part}`);
  }
}

/** Anything else that the client creates or extends. Its arguments do not matter here. */
class Thing {
  code?: unknown;
  readonly given: readonly unknown[];
  constructor(...given: readonly unknown[]) {
    this.given = given;
  }
}

const nothing = (): Disposable => new Disposable(() => {});

/** Returns an object with the known members, and functions that do nothing for all other names. */
const withRest = <Known extends object>(known: Known, rest: (name: string) => unknown): Known =>
  new Proxy(known, {
    get: (target, name) => (name in target || typeof name === 'symbol' ? Reflect.get(target, name) : rest(name)),
  });

const languageIds: Readonly<Record<string, string>> = { '.json': 'json', '.yaml': 'yaml' };

/** Returns a document for a file. The ending of its name determines its language. */
export const documentOf = (file: string, text: string): OpenDocument => ({
  ...{ file, text },
  languageId: languageIds[path.extname(file)] ?? 'plaintext',
});

const toDocument = ({ file, languageId, text }: OpenDocument): object => ({
  ...{ uri: Uri.file(file), fileName: file, languageId, version: 1, isClosed: false },
  getText: () => text,
});

/** Creates an editor with the parts of the module `vscode` that the extension uses, and loads the extension in it. */
export const loadInHost = (
  main: string,
  { workspaceFolder, documents, found = [], command = '' }: HostOptions,
): { readonly host: Host; readonly extension: LoadedExtension } => {
  const shown = new Map<string, readonly Thing[]>();
  const errors: string[] = [];
  const watched: string[] = [];
  const commands = new Map<string, () => unknown>();
  const opened = new EventEmitter();
  const open = documents.map(toDocument);
  const logged: string[] = [];
  const log = withRest(
    { onDidChangeLogLevel: nothing, error: (line: string) => void logged.push(line) },
    () => () => undefined,
  );
  const settings = withRest(
    { get: (name: string, otherwise: unknown) => (name === 'command' ? command : otherwise) },
    () => () => undefined,
  );
  const vscode = withRest(
    {
      ...{ version: '1.91.0', EventEmitter, Uri, CancellationTokenSource, CodeActionKind, Disposable },
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
      env: { language: 'en', appName: 'Test' },
      window: withRest(
        {
          createOutputChannel: () => log,
          visibleTextEditors: [],
          tabGroups: withRest({ all: [] }, () => nothing),
          showErrorMessage: async (text: string) => void errors.push(text),
        },
        () => nothing,
      ),
      commands: {
        registerCommand: (name: string, run: () => unknown) => {
          commands.set(name, run);
          return new Disposable(() => void commands.delete(name));
        },
      },
      languages: withRest(
        {
          match: (selector: readonly { readonly language?: string }[], { languageId }: OpenDocument) =>
            [selector].flat().some(({ language }) => language === languageId) ? 10 : 0,
          createDiagnosticCollection: () => ({
            set: (uri: Uri, found: readonly Thing[]) => void shown.set(uri.fsPath, found),
            ...{ get: () => undefined, has: () => false, delete: nothing, clear: nothing, dispose: nothing },
          }),
        },
        () => nothing,
      ),
      workspace: withRest(
        {
          ...{ textDocuments: open, notebookDocuments: [], onDidOpenTextDocument: opened.event },
          workspaceFolders: [{ uri: Uri.file(workspaceFolder), name: 'work', index: 0 }],
          getConfiguration: () => settings,
          findFiles: async () => found.map((file) => Uri.file(file)),
          createFileSystemWatcher: (pattern: string) => {
            watched.push(pattern);
            return withRest({}, () => nothing);
          },
        },
        () => nothing,
      ),
    },
    () => Thing,
  );
  Object.assign(globalThis, { [key]: vscode });
  // Each extension gets its own module.
  loads += 1;
  const module = `vscode:host-${loads}`;
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'vscode' ? { url: module, shortCircuit: true } : next(name, context)),
    load: (url, context, next) =>
      url === module
        ? {
            format: 'commonjs',
            source: `module.exports = globalThis[Symbol.for('gatewright.test.vscode')];`,
            shortCircuit: true,
          }
        : next(url, context),
  });
  const require = createRequire(main);
  const extension: LoadedExtension = require(main);
  hooks.deregister();
  return {
    extension,
    host: {
      codes: (file) => shown.get(file)?.map(({ code }) => code),
      ...{ errors, watched, log: logged },
      get commands() {
        return [...commands.keys()].sort();
      },
      run: async (name) => commands.get(name)?.(),
      open(document) {
        const made = toDocument(document);
        open.push(made);
        opened.fire(made);
      },
    },
  };
};
