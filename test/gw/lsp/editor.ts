import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import {
  createProtocolConnection,
  type Diagnostic,
  type Position,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { patience } from '../../support/run/patience.ts';

/** An editor with an open folder, as the server sees it. */
export interface Editor {
  readonly folder: string;
  uri(file: string): string;
  /** Opens a file with a text in which `|` marks the cursor. The file need not be saved. */
  open(file: string, text: string): Position;
  /** Closes an open file, with or without unsaved changes. */
  close(file: string): void;
  /** Replaces the text of an open file. */
  type(file: string, text: string): Position;
  /** Waits until the findings of a file have these codes, and returns the findings. */
  expectCodes(file: string, codes: readonly (string | undefined)[]): Promise<readonly Diagnostic[]>;
  ask<Answer>(method: string, file: string, position: Position, more?: object): Promise<Answer>;
  notify(method: string, params?: object): void;
  /** Returns everything that the server wrote to stderr. */
  stderr(): string;
  /** Shuts the server down as an editor does, and returns its exit code. */
  end(): Promise<number>;
  readonly exited: Promise<number>;
  /** Breaks the connection. */
  kill(): void;
}

const cursor = '|';

const positionOf = (text: string): Position => {
  const before = text.slice(0, Math.max(0, text.indexOf(cursor)));
  const lines = before.split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
};

/** Encodes a URI as VS Code does, which escapes more characters than Node. */
const editorUri = (file: string): string =>
  `file://${file.replaceAll(/[^A-Za-z0-9\-._~/]+/g, (rest) => encodeURIComponent(rest).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`))}`;

/** Starts `gw lsp` for a folder with these files. */
export const startEditor = async (files: Readonly<Record<string, string | object>>): Promise<Editor> => {
  const folder = temporaryFolder(files);
  const child = spawn(process.execPath, [installedGw, 'lsp', '--stdio'], { cwd: '/', stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  const exited = once(child, 'exit').then(([code]) => Number(code));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const found = new Map<string, readonly Diagnostic[]>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, diagnostics }: { readonly uri: string; readonly diagnostics: readonly Diagnostic[] }) => {
      found.set(uri, diagnostics);
    },
  );
  connection.onNotification('window/logMessage', ({ message }: { readonly message: string }) => {
    stderr += message;
  });
  connection.listen();
  const uri = (file: string): string => editorUri(path.join(folder, file));
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: uri('.'), capabilities: {} });
  await connection.sendNotification('initialized', {});
  let version = 0;
  return {
    ...{ folder, uri, exited },
    open(file, text) {
      version += 1;
      const document = { uri: uri(file), languageId: 'json', version, text: text.replace(cursor, '') };
      void connection.sendNotification('textDocument/didOpen', { textDocument: document });
      return positionOf(text);
    },
    close: (file) => void connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(file) } }),
    type(file, text) {
      version += 1;
      void connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(file), version },
        contentChanges: [{ text: text.replace(cursor, '') }],
      });
      return positionOf(text);
    },
    async expectCodes(file, codes) {
      await vi.waitFor(() => expect(found.get(uri(file))?.map(({ code }) => code)).toEqual(codes), patience);
      return found.get(uri(file)) ?? [];
    },
    ask: (method, file, position, more = {}) =>
      connection.sendRequest(method, { textDocument: { uri: uri(file) }, position, ...more }),
    notify: (method, params = {}) => void connection.sendNotification(method, params),
    stderr: () => stderr,
    async end() {
      await connection.sendRequest('shutdown');
      void connection.sendNotification('exit');
      return exited;
    },
    kill: () => child.stdin.end(),
  };
};
