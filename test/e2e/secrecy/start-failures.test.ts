import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { Secrets } from './support/secrets.ts';

const good = randomBytes(32).toString('base64');
const secret = `sEcReT${randomBytes(12).toString('hex')}`;
const key = randomBytes(32).toString('base64');

it.each<[string, string, Readonly<Record<string, string>>]>([
  ['a PostgreSQL that is unavailable', `postgres://gateway:${secret}@127.0.0.1:1/x`, {}],
  ['a host that does not exist', `postgres://gateway:${secret}@no.such.host.invalid/x`, {}],
  ['a malformed URL', `postgres://gateway:${secret}@[bad/x`, {}],
  ['a password in a query', `postgres://127.0.0.1:1/x?user=g&password=${secret}`, {}],
  ['a misspelt scheme', `postgress://gateway:${secret}@h/x`, {}],
  ['a scheme in upper case', `POSTGRES://gateway:${secret}@127.0.0.1:1/x`, {}],
  ['a scheme without slashes', `POSTGRES:gateway:${secret}@127.0.0.1:1/x`, {}],
  ['an unsupported scheme', `mysql+x://gateway:${secret}@h/x`, {}],
  ['a master key of the wrong length', 'a.db', { GW_MASTER_KEY: secret }],
  ['a master key where its file belongs', 'a.db', { GW_MASTER_KEY: '', GW_MASTER_KEY_FILE: key }],
  ['an invalid previous master key', 'a.db', { GW_MASTER_KEY_PREVIOUS: secret }],
  ['an admin key that is too short', 'a.db', { GW_ADMIN_KEY: secret.slice(0, 25) }],
  ['an admin key with a space', 'a.db', { GW_ADMIN_KEY: `${secret} ${secret}` }],
])('a start that fails because of %s reveals no secret', async (_, store, env) => {
  const secrets = new Secrets();
  secrets.add('the secret', secret.slice(0, 25));
  secrets.add('a master key', key);
  const unset = 'GW_MASTER_KEY_FILE' in env ? ['GW_MASTER_KEY'] : [];
  const started = startGateway({
    folder: temporaryFolder(),
    args: ['--store', store],
    env: { GW_ADMIN_KEY: 'the-admin-key-of-this-test-with-40-chars', GW_MASTER_KEY: good, ...env },
    unset,
  });
  const said = await started.then(
    async (gateway) => {
      await gateway.stop();
      return 'It has started.';
    },
    (error: Error) => error.message,
  );
  expect(said).toContain('ended with 1 before');
  expect(said).toMatch(/\ngw: .+\./);
  expect(secrets.in(Buffer.from(said))).toEqual([]);
});

const rejectedKeys: readonly [string, string][] = [
  ['GW_ADMIN_KEY', 'too-short'],
  ['GW_ADMIN_KEY', `has a space ${'x'.repeat(40)}`],
  ['GW_MASTER_KEY', 'too-short'],
  ['GW_MASTER_KEY_PREVIOUS', 'too-short'],
];

it.each(['1', '2'].flatMap((workers) => rejectedKeys.map((rejected) => [...rejected, workers] as const)))(
  'a start leaves no new store behind if %s is rejected: %s, --workers %s',
  async (name, value, workers) => {
    const folder = temporaryFolder();
    const args = ['--store', 'a.db', '--workers', workers];
    const start = startGateway({ folder, args, env: { GW_MASTER_KEY: good, [name]: value } });
    await expect(start).rejects.toThrow(new RegExp(`\ngw: ${name} `));
    expect(readdirSync(folder).filter((file) => file.startsWith('a.db'))).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')(
  'a start reads a master key from a pipe, which it can do only once',
  async () => {
    const script = 'mkfifo key && { printf %s "$KEY" > key & } && GW_MASTER_KEY_FILE=key exec "$0" "$@"';
    const gateway = await startGateway({
      folder: temporaryFolder(),
      args: ['--store', 'a.db'],
      env: { KEY: good },
      unset: ['GW_MASTER_KEY'],
      command: ['bash', '-c', script, process.execPath, installedGw],
    });
    await gateway.stop();
    expect(readdirSync(gateway.folder)).not.toContain('a.db.key');
  },
);
