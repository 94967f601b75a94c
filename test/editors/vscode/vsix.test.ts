import { symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildVsix } from '../../../deploy/vscode/make-vsix.ts';
import { factsFileOf, fileEndings, gatewayFileNames } from '../../../schema/config/file-names.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedFolder, installedGw } from '../../support/gateways/installed-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { documentOf, type HostOptions, loadInHost } from './vscode-host.ts';

let packed: Uint8Array;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  packed = (await buildVsix()).bytes;
  files = Object.fromEntries(Object.entries(unzipSync(packed)).map(([name, bytes]) => [name, strFromU8(bytes)]));
});

const manifest = () => JSON.parse(files['extension/package.json'] ?? '');

describe('the package of the extension', () => {
  it('has the same bytes when it is built again', async () => {
    const { name, bytes } = await buildVsix();
    expect(name).toBe(`gatewright-${manifest().version}.vsix`);
    expect(Buffer.compare(bytes, packed)).toBe(0);
  });

  it('has the version of the gateway', () => {
    expect(manifest().version).toBe(createRequire(import.meta.url)(path.join(root, 'package.json')).version);
  });

  it('follows the Open Packaging Conventions: each file has a content type', () => {
    const types = files['[Content_Types].xml'] ?? '';
    for (const name of Object.keys(files).filter((each) => each !== '[Content_Types].xml'))
      expect(types).toContain(`Extension="${path.extname(name)}"`);
  });

  it('repeats its package.json in its manifest, and names only files that exist', () => {
    const xml = files['extension.vsixmanifest'] ?? '';
    const { name, version, publisher, displayName, engines } = manifest();
    expect(xml).toContain(`<Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />`);
    expect(xml).toContain(`<DisplayName>${displayName}</DisplayName>`);
    expect(xml).toContain(`<Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" />`);
    const assets = [...xml.matchAll(/<Asset Type="([^"]+)" Path="([^"]+)"/g)];
    expect(assets.map(([, type]) => type)).toContain('Microsoft.VisualStudio.Code.Manifest');
    for (const [, , file = ''] of assets) expect(Object.keys(files)).toContain(file);
  });

  it('declares to VS Code what VS Code requires of an extension', () => {
    const { name, publisher, version, main, engines, activationEvents, contributes, capabilities } = manifest();
    expect(`${publisher}.${name}`).toMatch(/^[a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Object.keys(files)).toContain(path.posix.join('extension', main));
    const client = createRequire(import.meta.url).resolve('vscode-languageclient/node');
    const { engines: needed } = createRequire(import.meta.url)(path.join(client, '../../../package.json'));
    expect(engines.vscode).toBe(needed.vscode);
    const workspaces = activationEvents.filter((event: string) => event.startsWith('workspaceContains:'));
    expect(workspaces).toEqual([`workspaceContains:**/gateway.{${fileEndings.map((end) => end.slice(1)).join(',')}}`]);
    expect(activationEvents).toEqual(
      expect.arrayContaining(['onLanguage:json', 'onLanguage:jsonc', 'onLanguage:yaml']),
    );
    expect(Object.keys(contributes.configuration.properties).every((key) => key.startsWith('gatewright.'))).toBe(true);
    // It runs a program of the workspace.
    expect(capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  it('needs only VS Code and Node, and names the licences of everything that it contains', () => {
    const code = files['extension/extension.cjs'] ?? '';
    const required = [...code.matchAll(/\brequire\(\s*[`'"]([^`'"]+)[`'"]\s*\)/g)].map(([, name = '']) => name);
    expect(required).toContain('vscode');
    expect(required.filter((name) => name !== 'vscode' && !isBuiltin(name))).toEqual([]);
    expect(code).not.toContain(root);
    expect(files['extension/THIRD_PARTY_LICENSES.txt']).toMatch(/^vscode-languageclient 11\.\S+ \(MIT\)$/m);
    expect(files['extension/THIRD_PARTY_LICENSES.txt']).not.toContain('does not include the text of its licence');
  });
});

const gateway = { configs: 'configs', providers: { prod: { provider: 'openai' } } };

/** Creates a workspace with the gateway installed, unless it is omitted, and the extension unpacked. */
const unpack = ({ isInstalled = true } = {}): string => {
  const folder = temporaryFolder({
    'work/gateway.json': gateway,
    'work/configs/main.json': {},
    'work/node_modules/README': '',
    'extension/extension.cjs': files['extension/extension.cjs'] ?? '',
  });
  if (isInstalled) symlinkSync(installedFolder, path.join(folder, 'work/node_modules/gatewright'), 'junction');
  return folder;
};

const load = (folder: string, options: Partial<HostOptions>) => {
  const loaded = loadInHost(path.join(folder, 'extension/extension.cjs'), {
    ...{ workspaceFolder: path.join(folder, 'work'), documents: [] },
    ...options,
  });
  onTestFinished(() => loaded.extension.deactivate());
  return loaded;
};

const expectCodes = (codes: () => unknown, expected: readonly string[]) =>
  vi.waitFor(() => expect(codes()).toEqual(expected), patience);

describe('the extension in an editor', () => {
  it('starts the gw of the workspace, shows its findings, and restarts it on request', async () => {
    const folder = unpack();
    const main = path.join(folder, 'work/configs/main.json');
    const { host, extension } = load(folder, {
      documents: [documentOf(main, '{ "provider": "openaii" }')],
      found: [path.join(folder, 'work/gateway.json')],
    });
    const subscriptions: { dispose(): void }[] = [];
    await extension.activate({ subscriptions });
    await expectCodes(() => host.codes(main), ['unknown-provider']);
    const { contributes } = manifest();
    expect(host.commands).toEqual(contributes.commands.map(({ command }: { command: string }) => command).toSorted());
    await host.run('gatewright.restart');
    const yaml = path.join(folder, 'work/configs/other.yaml');
    host.open(documentOf(yaml, 'provider: ecko\n'));
    await expectCodes(() => host.codes(yaml), ['unknown-provider']);
    await host.run('gatewright.showLog');
    expect(host.errors).toEqual([]);
    for (const name of [...gatewayFileNames, factsFileOf('gateway.json')])
      for (const pattern of host.watched) expect(path.matchesGlob(path.join('a', name), pattern)).toBe(true);
    expect(host.watched).toHaveLength(2);
    for (const each of subscriptions) each.dispose();
    expect(host.commands).toEqual([]);
  });

  it("starts the gw nearest to the gateway file instead of the workspace's", async () => {
    const folder = temporaryFolder({
      'work/node_modules/gatewright/gw.js': 'process.exitCode = 2;',
      'work/apps/a/gateway.json': gateway,
      'work/apps/a/node_modules/README': '',
      'extension/extension.cjs': files['extension/extension.cjs'] ?? '',
    });
    symlinkSync(installedFolder, path.join(folder, 'work/apps/a/node_modules/gatewright'), 'junction');
    const main = path.join(folder, 'work/apps/a/configs/main.json');
    const { host, extension } = load(folder, {
      documents: [documentOf(main, '{ "provider": "openaii" }')],
      found: [path.join(folder, 'work/apps/a/gateway.json')],
    });
    await extension.activate({ subscriptions: [] });
    expect(host.errors).toEqual([]);
    await expectCodes(() => host.codes(main), ['unknown-provider']);
  });

  it('uses the command in the setting', async () => {
    const folder = unpack({ isInstalled: false });
    const main = path.join(folder, 'work/configs/main.json');
    const { host, extension } = load(folder, {
      documents: [documentOf(main, '{ "provider": "openaii" }')],
      found: [path.join(folder, 'work/gateway.json')],
      command: installedGw,
    });
    await extension.activate({ subscriptions: [] });
    await expectCodes(() => host.codes(main), ['unknown-provider']);
  });

  it('starts nothing in a workspace without a gateway, until a file names the schema', async () => {
    const folder = unpack({ isInstalled: false });
    const { host, extension } = load(folder, {
      documents: [documentOf(path.join(folder, 'work/package.json'), '{ "name": "x" }')],
      command: 'no/gw.js',
    });
    await extension.activate({ subscriptions: [] });
    expect(host.errors).toEqual([]);
    const $schema = 'https://example.com/config.schema.json';
    host.open(documentOf(path.join(folder, 'work/x.json'), JSON.stringify({ $schema, provider: 'echo' })));
    await expectCodes(
      () => host.errors,
      [`The setting gatewright.command names ${path.join(folder, 'work/no/gw.js')}, which is not there.`],
    );
  });

  it('explains in one sentence why a command does not work, and works once it does', async () => {
    const folder = unpack({ isInstalled: false });
    const gw = path.join(folder, 'work/gw.js');
    writeFileSync(gw, 'process.exitCode = 2; console.error("It wants a newer Node.");');
    const { host, extension } = load(folder, {
      documents: [],
      found: [path.join(folder, 'work/gateway.json')],
      command: 'gw.js',
    });
    await extension.activate({ subscriptions: [] });
    expect(host.errors).toEqual([`"node ${gw} lsp --stdio" did not start. Its log says why.`]);
    expect(host.log.join('\n')).toContain('It wants a newer Node.');
    const main = path.join(folder, 'work/configs/main.json');
    writeFileSync(gw, `import(${JSON.stringify(installedGw)});`);
    host.open(documentOf(main, '{ "provider": "openaii" }'));
    await host.run('gatewright.restart');
    await expectCodes(() => host.codes(main), ['unknown-provider']);
  });
});
