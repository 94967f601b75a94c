import { statSync } from 'node:fs';
import path from 'node:path';
import { commands, type ExtensionContext, type LogOutputChannel, type TextDocument, window, workspace } from 'vscode';
import { LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import { factsFileOf, gatewayFileNames } from '../../schema/config/file-names.ts';
import { namesConfigSchema } from '../../schema/config/names-config-schema.ts';
import { findCommand } from './find-command.ts';

const languages: readonly string[] = ['json', 'jsonc', 'yaml'];

/** The files that change what is found in others: the gateway file, what stands beside it, and the packages with plugins. */
const watched: readonly string[] = [...gatewayFileNames, factsFileOf('gateway.json'), 'package-lock.json'];

/** The gateway files that are looked at for their packages. */
const maxGatewayFiles = 20;

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

const pattern = (names: readonly string[]): string => `**/{${names.join(',')}}`;

/** Whether a document is one of a gateway by itself, wherever it is. */
const isOfGateway = (document: TextDocument): boolean =>
  document.uri.scheme === 'file' &&
  languages.includes(document.languageId) &&
  (gatewayFileNames.includes(path.basename(document.fileName)) || namesConfigSchema(document.getText()));

/** A client that leaves it to its starter to show why it does not start. */
class QuietClient extends LanguageClient {
  #isStarting = false;

  override async start(): Promise<void> {
    this.#isStarting = true;
    await super.start().finally(() => {
      this.#isStarting = false;
    });
  }

  override error(message: string, data?: unknown, shown: boolean | 'force' = true): void {
    super.error(message, data, this.#isStarting ? false : shown);
  }
}

/** Runs `gw lsp` while a workspace has files for it. */
class Extension {
  #client: QuietClient | undefined;
  /** Made when there is something to write into it. */
  #log: LogOutputChannel | undefined;
  /** One start or stop at a time. */
  #last: Promise<void> = Promise.resolve();

  /** Starts the server unless it runs, where the workspace has something for it. */
  startIfNeeded(): Promise<void> {
    return this.#next(async () => {
      if (this.#client !== undefined) return;
      const folders = await this.#folders();
      if (folders !== undefined) await this.#start(folders);
    });
  }

  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#stop();
      await this.#start((await this.#folders()) ?? this.#workspaceFolders());
    });
  }

  dispose(): Promise<void> {
    return this.#next(async () => {
      await this.#stop();
      this.#log?.dispose();
      this.#log = undefined;
    });
  }

  showLog(): void {
    this.#openLog().show();
  }

  #openLog(): LogOutputChannel {
    this.#log ??= window.createOutputChannel('Gatewright', { log: true });
    return this.#log;
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work, work);
    return this.#last;
  }

  #workspaceFolders(): readonly string[] {
    return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  }

  /** The folders of what the workspace has for the server, and those of the workspace behind them; undefined where it has nothing. */
  async #folders(): Promise<readonly string[] | undefined> {
    const open = workspace.textDocuments.filter(isOfGateway).map(({ fileName }) => fileName);
    const found = await workspace.findFiles(pattern(gatewayFileNames), '**/node_modules/**', maxGatewayFiles);
    const files = [...open, ...found.map(({ fsPath }) => fsPath)];
    return files.length === 0 ? undefined : [...files.map((file) => path.dirname(file)), ...this.#workspaceFolders()];
  }

  async #start(folders: readonly string[]): Promise<void> {
    const base = this.#workspaceFolders()[0] ?? folders[0] ?? '.';
    const command = findCommand({
      setting: workspace.getConfiguration('gatewright').get<string>('command', '').trim(),
      searchPath: process.env.PATH ?? '',
      ...{ base, folders, platform: process.platform, isFile },
    });
    if (!command.ok) {
      void window.showErrorMessage(command.why);
      return;
    }
    const { args, shell } = command.found;
    // A shell takes words apart at spaces.
    const run = shell ? `"${command.found.command}"` : command.found.command;
    const client = new QuietClient(
      'gatewright',
      'Gatewright',
      { command: run, args: [...args], options: { shell, cwd: base } },
      {
        documentSelector: languages.map((language) => ({ scheme: 'file', language })),
        synchronize: { fileEvents: workspace.createFileSystemWatcher(pattern(watched)) },
        outputChannel: this.#openLog(),
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
      },
    );
    this.#client = client;
    try {
      await client.start();
    } catch (error) {
      this.#client = undefined;
      await client.dispose().catch(() => undefined);
      this.#reportFailure([run, ...args].join(' '), error);
    }
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // A server that has ended by itself cannot be asked to end.
    await client?.dispose().catch(() => undefined);
  }

  /** Does not wait until somebody reads it. */
  #reportFailure(command: string, error: unknown): void {
    this.#openLog().error(`${command}: ${error instanceof Error ? error.message : String(error)}`);
    const showLog = 'Show Log';
    void window.showErrorMessage(`"${command}" did not start. Its log says why.`, showLog).then((chosen) => {
      if (chosen === showLog) this.showLog();
    });
  }
}

const extension = new Extension();

/** VS Code calls it when a file of JSON or YAML is opened, or a workspace has a gateway file. */
export const activate = async ({ subscriptions }: ExtensionContext): Promise<void> => {
  subscriptions.push(
    commands.registerCommand('gatewright.restart', () => extension.restart()),
    commands.registerCommand('gatewright.showLog', () => extension.showLog()),
    workspace.onDidOpenTextDocument((document) => {
      if (isOfGateway(document)) void extension.startIfNeeded();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('gatewright.command')) void extension.restart();
    }),
  );
  await extension.startIfNeeded();
};

/** VS Code waits for it when it ends. */
export const deactivate = (): Promise<void> => extension.dispose();
