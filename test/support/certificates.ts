import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether tests can make certificates. */
export const hasOpenssl: boolean = spawnSync('openssl', ['version']).status === 0;

export interface CertificateOptions {
  /** `localhost` if absent. */
  readonly name?: string;
  /** Whether its time is over. */
  readonly isExpired?: boolean;
}

/** The files of a certificate and of its private key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that issues certificates. */
export interface Authority {
  /** The file of its own certificate. */
  readonly file: string;
  issue(options?: CertificateOptions): Certificate;
}

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

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority, whose files are in a folder that ends with the test. */
export const makeAuthority = (): Authority => {
  const cwd = temporaryFolder({ 'ca.conf': authorityConfig, 'index.txt': '', serial: '01\n' });
  const run = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  let issued = 0;
  return {
    file: path.join(cwd, 'ca.pem'),
    issue({ name = 'localhost', isExpired = false } = {}) {
      issued += 1;
      const own = `own${issued}`;
      run('req', ...newKey, '-keyout', `${own}.key`, '-out', `${own}.csr`, '-subj', `/CN=${name}`);
      writeFileSync(path.join(cwd, `${own}.ext`), `subjectAltName = DNS:${name}\n`);
      const times = isExpired ? ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'] : ['-days', '2'];
      const signing = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-extfile', `${own}.ext`];
      run('ca', '-batch', '-notext', ...signing, '-in', `${own}.csr`, '-out', `${own}.pem`, ...times);
      return { cert: path.join(cwd, `${own}.pem`), key: path.join(cwd, `${own}.key`) };
    },
  };
};

/** Reads the files of a certificate, as servers take them. */
export const readCertificate = ({ cert, key }: Certificate): { readonly cert: Buffer; readonly key: Buffer } => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
});
