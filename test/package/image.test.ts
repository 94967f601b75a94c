import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { readTar } from '../../deploy/image/archive/read-tar.ts';
import { debianPackages } from '../../deploy/image/layers/debian-layer.ts';
import { type BuiltImage, buildImage } from '../../deploy/image/make-image.ts';
import { freePort } from '../support/servers/free-port.ts';
import {
  runImage,
  type SandboxOptions,
  type UnpackedImage,
  unpackImage,
  whyNoSandbox,
} from './support/image-sandbox.ts';
import { newFolder } from './support/packages.ts';

const reason = whyNoSandbox();
const hasDebian = process.platform === 'linux' && spawnSync('dpkg-deb', ['--version']).status === 0;

const folder = newFolder();
const packages = path.join(folder, 'packages');
let image: BuiltImage;
let unpacked: UnpackedImage;

beforeAll(async () => {
  if (!hasDebian) return;
  mkdirSync(packages);
  // Uses the package lists that the machine already has. Otherwise the script fetches its own.
  const { status } = spawnSync('apt-get', ['-qq', 'download', ...debianPackages], { cwd: packages });
  image = await buildImage({
    architectures: ['amd64'],
    folder,
    tarball: inject('tarball'),
    packages: status === 0 ? packages : undefined,
  });
  unpacked = unpackImage(image.tar);
});
afterAll(() => {
  for (const each of [folder, unpacked?.folder]) if (each !== undefined) rmSync(each, { recursive: true, force: true });
});

describe.skipIf(!hasDebian)('the image', () => {
  it('is at most 80 MB', () => {
    expect(image.sizes.amd64).toBeGreaterThan(40e6);
    expect(image.sizes.amd64).toBeLessThanOrEqual(80e6);
  });

  it('consists of blobs that are named by their digests, and contains no build date', () => {
    const blobs = readTar(image.tar).filter(({ path: name }) => name.startsWith('blobs/sha256/'));
    expect(blobs.length).toBeGreaterThan(5);
    for (const entry of blobs)
      if (entry.kind === 'file')
        expect(createHash('sha256').update(entry.data).digest('hex')).toBe(path.basename(entry.path));
    expect(
      spawnSync('tar', ['-tvf', '-'], { input: image.tar, env: { ...process.env, TZ: 'UTC' } }).stdout.toString(),
    ).not.toMatch(/20\d\d-/);
  });

  it('has no shell and no package manager', () => {
    for (const name of ['bin/sh', 'usr/bin/sh', 'usr/bin/env', 'usr/bin/dpkg', 'usr/local/bin/npm'])
      expect(existsSync(path.join(unpacked.folder, name)), name).toBe(false);
  });
});

const start = (options: SandboxOptions = {}) => {
  const container = runImage(unpacked, options);
  onTestFinished(async () => {
    container.child.kill('SIGKILL');
    await container.exited;
    rmSync(container.volume, { recursive: true, force: true });
  });
  return container;
};

const listening = async (options: SandboxOptions) => {
  const container = start(options);
  const find = (): string | undefined => /listens on (http:\/\/\S+:\d+)/.exec(container.printed())?.[1];
  await expect.poll(() => find() ?? container.child.exitCode).not.toBe(null);
  const origin = find();
  if (origin === undefined) throw new Error(`The gateway ended before it listened:\n${container.printed()}`);
  return { ...container, origin: origin.replace('0.0.0.0', '127.0.0.1') };
};

const ask = (origin: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo', ...headers },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Are you there?' }] }),
  });

describe.skipIf(!hasDebian || reason !== undefined)('a container of the image', () => {
  it('runs as user 65532, can write only to its volume, and can read its file of certificates', async () => {
    const program = `
      const { accessSync, constants, writeFileSync } = require('node:fs');
      const writes = (name) => { try { writeFileSync(name, ''); return true; } catch ({ code }) { return code; } };
      accessSync(process.env.SSL_CERT_FILE, constants.R_OK);
      console.log(JSON.stringify([process.pid, process.getuid(), process.getgid(), writes('/x'), writes('/tmp/x'), writes('x')]));`;
    const container = start({ entrypoint: ['node'], command: ['-e', program] });
    expect({ code: await container.exited, printed: container.printed() }).toEqual({
      code: 0,
      printed: '[1,65532,65532,"EROFS","EROFS",true]\n',
    });
  });

  it('answers a chat request on a loopback address, and exits with 0 when it is stopped', async () => {
    const gateway = await listening({ env: { HOST: '127.0.0.1', PORT: '0' } });
    const answer = await ask(gateway.origin);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Are you there?' } }] });
    gateway.signal('SIGTERM');
    await expect.poll(() => fetch(`${gateway.origin}/readyz`).then(({ status }) => status)).toBe(503);
    expect(await gateway.exited).toBe(0);
  });

  it('passes the health check of the image while it serves, and fails it after it has stopped', async () => {
    const env = { HOST: '127.0.0.1', PORT: String(await freePort()) };
    const [kind, ...entrypoint] = unpacked.config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    const health = () => start({ entrypoint, command: [], env });
    const gateway = await listening({ env });
    expect(await health().exited).toBe(0);
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    const after = health();
    expect({ code: await after.exited, printed: after.printed() }).toEqual({
      code: 1,
      printed: expect.stringContaining(env.PORT),
    });
  });

  it('keeps its store in its volume, and serves metrics', async () => {
    const file = {
      listen: { port: 0 },
      store: { url: 'gateway.db' },
      spool_dir: '.',
      metrics: true,
      limits: { drain_delay_ms: 0 },
    };
    const key = 'an-admin-key-of-32-characters-or-more';
    const gateway = await listening({ files: { 'gateway.json': JSON.stringify(file) }, env: { GW_ADMIN_KEY: key } });
    const answer = await ask(gateway.origin, { 'x-gw-api-key': key });
    expect(answer.status).toBe(200);
    const metrics = await fetch(`${gateway.origin}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    expect(await metrics.text()).toContain('gatewright_requests_total{');
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    for (const name of ['gateway.db', 'gateway.db.key']) expect(existsSync(path.join(gateway.volume, name))).toBe(true);
  });

  it('exits and explains why it does not listen on all addresses if it has no keys', async () => {
    const container = start();
    expect(await container.exited).not.toBe(0);
    expect(container.printed()).toMatch(/Without service keys, the gateway listens on loopback only/);
  });
});

// A skipped test states the reason in its name.
if (reason !== undefined) it.skip(`no container can be run: ${reason}`, () => {});
