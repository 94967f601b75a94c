import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Entry, textFile } from '../../deploy/image/archive/entry.ts';
import { readTar } from '../../deploy/image/archive/read-tar.ts';
import { writeImage } from '../../deploy/image/archive/write-image.ts';
import { writeTar } from '../../deploy/image/archive/write-tar.ts';
import { command, entrypoint, healthCheck, imageConfig, port, variables } from '../../deploy/image/image-config.ts';
import { stateFolder } from '../../deploy/image/layers/package-layer.ts';
import { root } from '../../tools/build/package-modules.ts';
import { readRecipe } from '../docs/support/recipe-pages.ts';
import { readFences } from '../support/readme/read-fences.ts';

const long = `a/${'b'.repeat(120)}/${'c'.repeat(120)}/${'d'.repeat(110)}`;

const entries: readonly Entry[] = [
  { ...textFile('usr/bin/program', 'run'), isProgram: true },
  textFile('etc/name', 'x'.repeat(1000)),
  textFile(long, 'long'),
  { kind: 'link', path: 'lib', target: 'usr/lib' },
  { kind: 'link', path: 'far', target: long },
  { kind: 'folder', path: 'var/own', isOwned: true },
];

describe('a layer', () => {
  it("is listed by tar as sorted, owned by root except for the user's entries, and with a single time", () => {
    const { stdout } = spawnSync('tar', ['--numeric-owner', '--utc', '-tvf', '-'], { input: writeTar(entries, 0) });
    const lines = stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
    expect(lines).toContain('-rwxr-xr-x 0/0 3 1970-01-01 00:00 usr/bin/program');
    expect(lines).toContain('-rw-r--r-- 0/0 1000 1970-01-01 00:00 etc/name');
    expect(lines).toContain('drwx------ 65532/65532 0 1970-01-01 00:00 var/own/');
    expect(lines).toContain('drwxr-xr-x 0/0 0 1970-01-01 00:00 usr/bin/');
    expect(lines).toContain('lrwxrwxrwx 0/0 0 1970-01-01 00:00 lib -> usr/lib');
    expect(lines).toContain(`-rw-r--r-- 0/0 4 1970-01-01 00:00 ${long}`);
    expect(lines).toContain(`lrwxrwxrwx 0/0 0 1970-01-01 00:00 far -> ${long}`);
    const names = lines.map((line) => line.split(' ')[5] ?? '').map((name) => name.replace(/\/$/, ''));
    expect(names).toEqual(names.toSorted());
  });

  it('has the same bytes in any order of its entries', () => {
    expect(writeTar(entries.toReversed(), 0).equals(writeTar(entries, 0))).toBe(true);
  });

  it('is read back unchanged', () => {
    const read = readTar(writeTar(entries, 0));
    for (const entry of entries) {
      const found = read.find(({ path: name }) => name === entry.path);
      expect(found?.kind).toBe(entry.kind);
      if (entry.kind === 'file' && found?.kind === 'file')
        expect(Buffer.from(found.data)).toEqual(Buffer.from(entry.data));
      if (entry.kind === 'link') expect(found).toEqual(entry);
    }
  });
});

describe('the image layout', () => {
  const write = (architectures: readonly ('amd64' | 'arm64')[], order: readonly Entry[] = entries) =>
    writeImage({
      reference: 'gatewright:1.2.3',
      annotations: { 'org.opencontainers.image.version': '1.2.3' },
      seconds: 0,
      images: architectures.map((architecture) => ({
        architecture,
        config: imageConfig({}),
        layers: [{ name: architecture, entries: [...order, textFile('arch', architecture)] }],
      })),
    });

  const readJson = (tar: Buffer, file: string) => {
    const entry = readTar(tar).find(({ path: name }) => name === file);
    return entry?.kind === 'file' ? JSON.parse(Buffer.from(entry.data).toString()) : undefined;
  };

  it('is the same for equal contents', async () => {
    const [one, two] = [await write(['amd64']), await write(['amd64'], entries.toReversed())];
    expect(two.tar.equals(one.tar)).toBe(true);
  });

  it('has an index of both architectures', async () => {
    const { tar, digest } = await write(['amd64', 'arm64']);
    const [top] = readJson(tar, 'index.json').manifests;
    expect(top).toMatchObject({ digest, mediaType: 'application/vnd.oci.image.index.v1+json' });
    const { manifests } = readJson(tar, `blobs/${top.digest.replace(':', '/')}`);
    expect(manifests.map(({ platform }: { readonly platform: object }) => platform)).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ]);
    expect(readJson(tar, 'manifest.json')).toBeUndefined();
  });

  it('also describes a single architecture for older versions of Docker', async () => {
    const { tar } = await write(['arm64']);
    const [only] = readJson(tar, 'manifest.json');
    expect(only.RepoTags).toEqual(['gatewright:1.2.3']);
    expect(readJson(tar, only.Config)).toMatchObject({ architecture: 'arm64', config: { User: '65532:65532' } });
    const paths = readTar(tar).map(({ path: name }) => name);
    expect(paths).toEqual(expect.arrayContaining(only.Layers));
  });
});

const recipe = readFences(readRecipe('container.md')).find(({ file }) => file === 'Dockerfile')?.text ?? '';

describe.each([
  ['of the repository', readFileSync(path.join(root, 'deploy/image/Dockerfile'), 'utf8'), []],
  // The program that the repository's image starts sets this Node option itself.
  ['of the recipe, for the package', recipe, ['NODE_OPTIONS=--max-semi-space-size=16']],
])('the Dockerfile %s', (_which, file, more) => {
  const text = file.replaceAll('\\\n', '');

  it('creates an image with the same settings', () => {
    expect(text).toContain('\nUSER 65532:65532\n');
    expect(text).toContain(`\nENTRYPOINT ${JSON.stringify(entrypoint)}\nCMD ${JSON.stringify(command)}\n`);
    expect(text).toContain(`CMD ${JSON.stringify(healthCheck).replace(',', ', ')}\n`);
    expect(text).toContain(`\nEXPOSE ${port}/tcp\n`);
    expect(text).toContain(`\nWORKDIR /${stateFolder}\n`);
    expect(text).toContain(`\nVOLUME /${stateFolder}\n`);
    const set = /\nENV (.*)\n/.exec(text)?.[1]?.split(/ +/);
    // The base image has its own path, and no certificate bundle.
    const { PATH: _path, SSL_CERT_FILE: _certificates, ...own } = variables;
    expect(set).toEqual([...Object.entries(own).map(([name, value]) => `${name}=${value}`), ...more]);
  });
});

it('the Dockerfile of the recipe installs the current version', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(recipe).toContain(`npm install --global gatewright@${version} `);
});
