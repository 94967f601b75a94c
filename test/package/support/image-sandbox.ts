import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { imageUser } from '../../../deploy/image/archive/entry.ts';
import { readTar } from '../../../deploy/image/archive/read-tar.ts';

/** The `config` of an image, as container runtimes read it. */
interface ContainerConfig {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly User: string;
  readonly Volumes: Readonly<Record<string, object>>;
  /** Its command is the part after `CMD`. */
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** An image whose layers are unpacked. */
export interface UnpackedImage {
  readonly folder: string;
  readonly config: ContainerConfig;
}

const isRoot = process.getuid?.() === 0;

/** As root, runs as the image's own user. Otherwise the current user is mapped to that number in the sandbox. */
const asUser: readonly string[] = isRoot
  ? ['setpriv', `--reuid=${imageUser}`, `--regid=${imageUser}`, '--clear-groups']
  : [];

const namespaces = ['--unshare-user', `--uid=${imageUser}`, `--gid=${imageUser}`, '--unshare-pid', '--as-pid-1'].map(
  (flag) => flag.replace('=', ' ').split(' '),
);

const bubblewrap: readonly string[] = [...asUser, 'bwrap', ...namespaces.flat()];

/** Returns why images cannot run here, or undefined if they can. */
export const whyNoSandbox = (): string | undefined => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the image is one for Linux on amd64';
  const [program = '', ...args] = bubblewrap;
  const { status, stderr, error } = spawnSync(program, [...args, '--ro-bind', '/', '/', 'true'], { encoding: 'utf8' });
  return status === 0 ? undefined : `bwrap cannot make a user namespace: ${error?.message ?? stderr}`;
};

/** Creates a folder that the image's user can access. */
const openFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-sandbox-'));
  chmodSync(folder, 0o755);
  return folder;
};

/** Unpacks the only image of an OCI image layout. */
export const unpackImage = (tar: Buffer): UnpackedImage => {
  const blobs = new Map(readTar(tar).flatMap((entry) => (entry.kind === 'file' ? [[entry.path, entry.data]] : [])));
  const readJson = (file: string) => JSON.parse(Buffer.from(blobs.get(file) ?? []).toString());
  const blob = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
  const { manifests } = readJson('index.json');
  const manifest = readJson(blob(manifests[0].digest));
  const folder = openFolder();
  for (const { digest } of manifest.layers) {
    const { status, stderr } = spawnSync('tar', ['-xzpf', '-', '-C', folder], { input: blobs.get(blob(digest)) });
    if (status !== 0) throw new Error(`tar: ${stderr}`);
  }
  return { folder, config: readJson(blob(manifest.config.digest)).config };
};

export interface SandboxOptions {
  /** The files in the volume. */
  readonly files?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Sandbox {
  readonly child: ChildProcess;
  /** The folder that is mounted as its volume. */
  readonly volume: string;
  readonly printed: () => string;
  readonly exited: Promise<number>;
  /** Sends a signal to the container's first process, as container runtimes do. */
  signal(name: NodeJS.Signals): void;
}

/** Runs a container of the image, with its user, a read-only root, no capabilities, and a volume. */
export const runImage = ({ folder, config }: UnpackedImage, options: SandboxOptions = {}): Sandbox => {
  const { files = {}, entrypoint = config.Entrypoint, command = config.Cmd, env = {} } = options;
  const volume = openFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(volume, name)), { recursive: true });
    writeFileSync(path.join(volume, name), text);
  }
  const owned = path.join(folder, config.WorkingDir);
  chmodSync(volume, statSync(owned).mode);
  if (isRoot) chownSync(volume, statSync(owned).uid, statSync(owned).gid);
  const [[mount = ''] = []] = [Object.keys(config.Volumes)];
  const info = path.join(openFolder(), 'info.json');
  writeFileSync(info, '');
  chmodSync(info, 0o666);
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const mounts = ['--ro-bind', folder, '/', '--dev', '/dev', '--proc', '/proc', '--bind', volume, mount];
  const [program = '', ...args] = [
    ...['sh', '-c', `exec "$@" 3> ${info}`, 'sh', ...bubblewrap],
    ...['--info-fd', '3', '--die-with-parent', ...mounts, '--chdir', config.WorkingDir, '--clearenv'],
    ...variables.flatMap((each) => ['--setenv', each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    ...entrypoint,
    ...command,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += part;
    });
  return {
    child,
    volume,
    printed: () => text,
    exited: new Promise((resolve) => child.once('close', (code) => resolve(code ?? -1))),
    signal: (name) => process.kill(JSON.parse(readFileSync(info, 'utf8'))['child-pid'], name),
  };
};
