import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Entry, type FileEntry, textFile } from '../archive/entry.ts';
import { readTar } from '../archive/read-tar.ts';

export type Architecture = 'amd64' | 'arm64';

/** The Debian packages that Node and Gatewright need. Only the name of the release is taken from base-files. */
export const debianPackages: readonly string[] = [
  ...['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'tzdata'],
];

const release = 'trixie';

const run = (program: string, args: readonly string[], cwd: string): Buffer => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, maxBuffer: 2 ** 30 });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr.toString()}`);
};

/** Downloads the packages of an architecture, with an apt configuration that is independent of the machine's. */
export const downloadPackages = (architecture: Architecture, folder: string): void => {
  const state = path.join(folder, 'apt');
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(state, name), { recursive: true });
  const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
  const source = (archive: string, suite: string): string =>
    `deb ${signed} http://deb.debian.org/${archive} ${suite} main\n`;
  writeFileSync(
    path.join(state, 'sources.list'),
    source('debian', release) +
      source('debian', `${release}-updates`) +
      source('debian-security', `${release}-security`),
  );
  const settings = {
    'Dir::Etc::sourcelist': path.join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State': state,
    'Dir::State::lists': path.join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': path.join(state, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures::': architecture,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
  };
  const flags = ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
  run('apt-get', [...flags, 'update'], folder);
  run('apt-get', [...flags, 'download', ...debianPackages], folder);
};

/** Returns the path on a Debian with merged folders: `lib/x` is `usr/lib/x`. */
const mergedPath = (name: string): string => (/^(?:lib|lib64|bin|sbin)\//.test(name) ? `usr/${name}` : name);

const unwanted = [
  /^usr\/(?:sbin|bin)\//,
  /^etc\/(?:ca-certificates|ld\.so\.conf\.d|ssl)(?:\/|$)/,
  // Only programs in C use conversions between character sets, and the languages of messages.
  /\/gconv\//,
  /^usr\/lib\/locale\/(?!C\.utf8\/)/,
  /^usr\/share\/(?!doc\/|ca-certificates\/|zoneinfo\/)/,
  /^usr\/share\/doc\/(?!.*\/copyright$)/,
  /^usr\/libexec\//,
];

const isWanted = (entry: Entry): boolean =>
  entry.kind !== 'folder' && !unwanted.some((pattern) => pattern.test(entry.path));

const field = (control: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? '';

/** Returns a single file with all authorities, like the one that `update-ca-certificates` creates. */
const certificateBundle = (entries: readonly Entry[]): FileEntry => {
  const certificates = entries.flatMap((entry) =>
    entry.kind === 'file' && /^usr\/share\/ca-certificates\/.*\.crt$/.test(entry.path) ? [entry] : [],
  );
  const texts = certificates
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ data }) => `${new TextDecoder().decode(data).trim()}\n`);
  if (texts.length < 50) throw new Error('The package ca-certificates has hardly any certificates.');
  return textFile('etc/ssl/certs/ca-certificates.crt', texts.join(''));
};

/** Files of a Debian that belong to no package, and the places where a container runtime mounts its own. */
const ownEntries: readonly Entry[] = [
  { kind: 'link', path: 'lib', target: 'usr/lib' },
  { kind: 'link', path: 'lib64', target: 'usr/lib64' },
  ...['dev', 'proc', 'run', 'sys', 'tmp', 'etc/gatewright', 'usr/lib64'].map(
    (name): Entry => ({ kind: 'folder', path: name }),
  ),
  textFile(
    'etc/passwd',
    'root:x:0:0:root:/:/sbin/nologin\ngatewright:x:65532:65532::/var/lib/gatewright:/sbin/nologin\n',
  ),
  textFile('etc/group', 'root:x:0:\ngatewright:x:65532:\n'),
  textFile('etc/nsswitch.conf', 'hosts: files dns\n'),
  { kind: 'link', path: 'etc/os-release', target: '../usr/lib/os-release' },
];

export interface DebianLayer {
  readonly entries: readonly Entry[];
  /** Sorted names with versions, such as `libc6=2.41-12`. */
  readonly versions: readonly string[];
}

/** Returns the files of one architecture's packages in a folder, with the metadata by which image scanners recognise them. */
export const debianLayer = (folder: string, architecture: Architecture): DebianLayer => {
  const files = globSync('*.deb', { cwd: folder }).sort();
  const found = new Map<string, { readonly file: string; readonly control: string }>();
  for (const file of files) {
    const control = run('dpkg-deb', ['--field', file], folder).toString();
    if (['all', architecture].includes(field(control, 'Architecture')))
      found.set(field(control, 'Package'), { file, control });
  }
  const entries: Entry[] = [];
  const versions: string[] = [];
  for (const name of debianPackages) {
    const { file, control } = found.get(name) ?? {};
    if (file === undefined || control === undefined)
      throw new Error(
        `${folder} has no package ${name} of ${architecture}. Run: apt-get download ${debianPackages.join(' ')}`,
      );
    const all = readTar(run('dpkg-deb', ['--fsys-tarfile', file], folder)).map((entry) => ({
      ...entry,
      path: mergedPath(entry.path),
    }));
    if (name === 'base-files') entries.push(...all.filter((entry) => entry.path === 'usr/lib/os-release'));
    else {
      entries.push(...all.filter(isWanted), textFile(`var/lib/dpkg/status.d/${name}`, control));
      versions.push(`${name}=${field(control, 'Version')}`);
    }
  }
  return { entries: [...entries, certificateBundle(entries), ...ownEntries], versions };
};
