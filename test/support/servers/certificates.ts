import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../commands/temporary-folder.ts';

/** Whether tests can create certificates. */
export const hasOpenssl: boolean = spawnSync('openssl', ['version']).status === 0;

const authorityConfig = `[ca]
default_ca = own
[own]
new_certs_dir = .
database = index.txt
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;

export interface IssuedFor {
  /** Defaults to `localhost` with the loopback addresses. */
  readonly name?: string;
  /** The start and end of its validity, such as `20200101000000Z`. Defaults to `days` days from now. */
  readonly times?: readonly [from: string, until: string];
  /** Defaults to 30. */
  readonly days?: number;
}

/** Encrypts a private key with a passphrase. Returns it as PEM. */
export const encryptKey = (keyFile: string, passphrase: string): string =>
  execFileSync('openssl', ['pkey', '-in', keyFile, '-aes256', '-passout', 'stdin'], {
    input: `${passphrase}\n`,
    encoding: 'utf8',
  });

/** The validity of an expired certificate. */
export const expired: Pick<IssuedFor, 'times'> = { times: ['20200101000000Z', '20200201000000Z'] };

/** A certificate and its key, as files and as texts. */
export interface IssuedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate whose RSA key is too short for TLS. */
export const makeWeak = (whenFinished?: AuthorityOptions['whenFinished']): IssuedCertificate => {
  const folder = temporaryFolder({}, whenFinished);
  const [certFile, keyFile] = [path.join(folder, 'weak.crt'), path.join(folder, 'weak.key')];
  const request = ['req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-subj', '/CN=weak'];
  execFileSync('openssl', [...request, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
};

export interface TestAuthority {
  /** The file with the authority's own certificate. */
  readonly file: string;
  readonly pem: string;
  issue(options?: IssuedFor): IssuedCertificate;
}

export interface AuthorityOptions {
  /** How long its own certificate is valid. */
  readonly days?: number;
  /** When its files are removed: at the end of the test by default. */
  readonly whenFinished?: (remove: () => void) => void;
}

/** Creates an authority that issues certificates with openssl. */
export const makeAuthority = ({ days: ownDays = 40, whenFinished }: AuthorityOptions = {}): TestAuthority => {
  const cwd = temporaryFolder({ 'ca.conf': authorityConfig, 'index.txt': '', serial: '01\n' }, whenFinished);
  const run = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    `${ownDays}`,
    '-subj',
    '/CN=Test authority',
  );
  const file = path.join(cwd, 'ca.pem');
  let issued = 0;
  return {
    file,
    pem: readFileSync(file, 'utf8'),
    issue: ({ name = 'localhost', times, days = 30 } = {}) => {
      issued += 1;
      const own = `own-${issued}`;
      run('req', ...key, '-keyout', `${own}.key`, '-out', `${own}.csr`, '-subj', `/CN=${name}`);
      writeFileSync(
        path.join(cwd, `${own}.ext`),
        `subjectAltName = DNS:${name}${name === 'localhost' ? ', IP:127.0.0.1, IP:::1' : ''}\n`,
      );
      const valid = times === undefined ? ['-days', `${days}`] : ['-startdate', times[0], '-enddate', times[1]];
      const signing = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-extfile', `${own}.ext`];
      run('ca', '-batch', '-notext', ...signing, '-in', `${own}.csr`, '-out', `${own}.pem`, ...valid);
      const certFile = path.join(cwd, `${own}.pem`);
      const keyFile = path.join(cwd, `${own}.key`);
      return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    },
  };
};
