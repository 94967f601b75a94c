import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether tests can make certificates. */
export const hasOpenssl: boolean = spawnSync('openssl', ['version']).status === 0;

export interface CertifiedServer {
  readonly port: number;
  /** A file with the certificate of the authority that has issued that of the server. */
  readonly authority: string;
}

export interface Certificate {
  /** `localhost` if absent. */
  readonly name?: string;
  /** Whether its time is over. */
  readonly isExpired?: boolean;
}

const authorityConfig = `[ca]
default_ca = own
[own]
new_certs_dir = .
database = index.txt
serial = serial
default_md = sha256
policy = any
[any]
commonName = supplied
`;

/** Makes an authority and a certificate of it, and a server that answers `{"data":[]}` with that. It ends with the test. */
export const startCertified = async ({
  name = 'localhost',
  isExpired = false,
}: Certificate = {}): Promise<CertifiedServer> => {
  const cwd = temporaryFolder({ 'ca.conf': authorityConfig, 'index.txt': '', serial: '01\n' });
  const run = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  run('req', ...key, '-keyout', 'own.key', '-out', 'own.csr', '-subj', `/CN=${name}`);
  writeFileSync(path.join(cwd, 'own.ext'), `subjectAltName = DNS:${name}\n`);
  const times = isExpired ? ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'] : ['-days', '2'];
  const signing = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-extfile', 'own.ext'];
  run('ca', '-batch', '-notext', ...signing, '-in', 'own.csr', '-out', 'own.pem', ...times);
  const read = (file: string): Buffer => readFileSync(path.join(cwd, file));
  const server = createServer({ key: read('own.key'), cert: read('own.pem') }, (_request, response) =>
    response.end('{"data":[]}'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { port: address.port, authority: path.join(cwd, 'ca.pem') };
};
