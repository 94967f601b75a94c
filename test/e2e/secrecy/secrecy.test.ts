import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { Answers } from './support/answers.ts';
import { callWithTokens } from './support/call-with-tokens.ts';
import { gw } from './support/gw.ts';
import { misplaceKeys, sendWrongBodies } from './support/make-mistakes.ts';
import { makeKey, saveSecrets } from './support/save-secrets.ts';
import { Secrets } from './support/secrets.ts';
import { serveRequests } from './support/serve-requests.ts';
import { type Story, storyAt } from './support/story.ts';

/** Returns all files below a folder, except those that contain keys for their owner to read. */
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:key|admin-key)$/.test(entry.name))
    .map(({ parentPath, name }) => path.join(parentPath, name));

const emptyPage = Buffer.alloc(8192);

/** Returns a file without the empty pages at its end, which make up most of a new PostgreSQL log. */
const toContent = (file: string): Buffer => {
  const bytes = readFileSync(file);
  let { length } = bytes;
  while (length >= emptyPage.length && bytes.subarray(length - emptyPage.length, length).equals(emptyPage))
    length -= emptyPage.length;
  return bytes.subarray(0, length);
};

const found = (secrets: Secrets, files: readonly string[]): readonly string[] =>
  files.flatMap((file) => secrets.in(toContent(file)).map((leak) => `${path.basename(file)}: ${leak}`));

/** Returns the files that contain placeholders of sealed secrets, to show that the search covers what it must. */
const placeholdersIn = (files: readonly string[]): readonly string[] =>
  files.filter((file) => readFileSync(file).includes('gw-sealed:')).map((file) => path.basename(file));

interface Run {
  readonly folder: string;
  readonly secrets: Secrets;
  readonly answers: Answers;
  readonly admin: string;
  start(env?: Readonly<Record<string, string>>): Promise<GatewayProcess>;
  story(gateway: GatewayProcess): Story;
  /** Everything that upstreams and webhooks received. */
  received(): Buffer;
}

const begin = async (store: string): Promise<Run> => {
  const [folder, secrets, answers] = [temporaryFolder(), new Secrets(), new Answers()];
  const admin = secrets.add('the admin key', randomBytes(32).toString('hex'));
  const [upstream, hook] = await Promise.all([startUpstream(), startUpstream()]);
  onTestFinished(async () => {
    await Promise.all([upstream.close(), hook.close()]);
  });
  return {
    ...{ folder, secrets, answers, admin },
    async start(env = {}) {
      const gateway = await startGateway({
        folder,
        files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'] } },
        args: ['--store', store],
        env: { GW_ADMIN_KEY: admin, GW_LOG: 'requests,hooks', ...env },
      });
      onTestFinished(() => gateway.stop());
      return gateway;
    },
    received: () =>
      Buffer.concat(
        [upstream, hook].flatMap(({ requests }) => requests.flatMap(({ head, body }) => [Buffer.from(head), body])),
      ),
    story: ({ origin }) => storyAt({ origin, admin, secrets, answers, upstream, hook }),
  };
};

/** Exercises everything that a gateway does with secrets, except what stops it. */
const live = async (story: Story): Promise<string> => {
  await saveSecrets(story);
  const { key } = await makeKey(story, '/api-keys/workspace/service', { name: 'app', scopes: ['completions.write'] });
  const user = { name: 'u', user_id: 'ann', scopes: ['completions.write'] };
  const made = await makeKey(story, '/api-keys/workspace/user', user);
  const second = await makeKey(story, '/api-keys/organisation/service', { name: 'o', scopes: ['configs.list'] });
  const rotated = await makeKey(story, `/api-keys/${made.id}/rotate`, {});
  await story.done(`DELETE /api-keys/${second.id}`);
  for (const path of ['api-keys', `api-keys/${made.id}`]) await story.done(`GET /${path}`);
  await serveRequests(story, key);
  await sendWrongBodies(story);
  await misplaceKeys(story, [key, rotated.key]);
  const issuer = await callWithTokens(story);
  onTestFinished(() => issuer.close());
  for (const page of ['/', '/livez', '/readyz', '/metrics'])
    for (const asking of [{}, { key: story.admin }]) await story.answers.ask(story.origin, `GET ${page}`, asking);
  return key;
};

const end = async (gateway: GatewayProcess): Promise<void> => {
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
};

/** Returns the keys of the gateway that upstreams or webhooks received. They may receive only credentials. */
const sentKeys = ({ secrets, received }: Run): readonly string[] => {
  const credentials = secrets.names.filter(
    (name) => !/key of \/api-keys|admin key|master key|recovered key|token$/.test(name),
  );
  return secrets.in(received(), { except: credentials });
};

const leaksOfAnswers = ({ answers, secrets }: Run): readonly string[] =>
  answers.all.flatMap(({ where, bytes, mayContain }) =>
    secrets.in(bytes, { except: mayContain }).map((leak) => `${where}: ${leak}`),
  );

it('no secret appears in an SQLite store, its copies, logs or answers', { timeout: 120_000 }, async () => {
  const run = await begin('gateway.db');
  const { folder, secrets, answers } = run;
  const first = await run.start();
  const key = await live(run.story(first));
  secrets.add(
    'the master key',
    Buffer.from(readFileSync(path.join(folder, 'gateway.db.key'), 'utf8').trim(), 'base64'),
  );
  answers.keep('gw backup', await gw(folder, ['backup', 'copy.db', '--store', 'gateway.db']));
  expect(found(secrets, filesBelow(folder))).toEqual([]);
  await end(first);
  answers.keep('gw keys rotate-master', await gw(folder, ['keys', 'rotate-master', '--store', 'gateway.db']));
  secrets.add(
    'the next master key',
    Buffer.from(readFileSync(path.join(folder, 'gateway.db.key'), 'utf8').trim(), 'base64'),
  );
  const second = await run.start();
  await serveRequests(run.story(second), key);
  answers.keep('gw keys create --admin', await gw(folder, ['keys', 'create', '--admin', '--store', 'gateway.db']));
  secrets.add('the recovered key', readFileSync(path.join(folder, 'gateway.db.admin-key'), 'utf8').trim());
  answers.keep('gw backup', await gw(folder, ['backup', 'second.db', '--store', 'gateway.db']));
  for (const { printed } of [first, second]) answers.keep('the gateway', printed());
  const files = filesBelow(folder);
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['gateway.db', 'gateway.db-wal', 'gateway.db-shm', 'copy.db', 'second.db']),
  );
  expect(placeholdersIn(files)).toEqual(expect.arrayContaining(['gateway.db', 'copy.db']));
  expect({ files: found(secrets, files), answers: leaksOfAnswers(run) }).toEqual({ files: [], answers: [] });
  expect(secrets.in(run.received())).not.toEqual([]);
  expect(sentKeys(run)).toEqual([]);
  for (const name of ['gateway.db.key', 'gateway.db.admin-key'])
    expect(statSync(path.join(folder, name)).mode & 0o777, name).toBe(0o600);
});

const postgres = postgresFolder();

const masterKey = (secrets: Secrets, name: string): string =>
  secrets.add(`${name} as text`, secrets.add(name, randomBytes(32)).toString('base64'));

it.skipIf(postgres === undefined)(
  'no secret appears in a PostgreSQL store, its files, its log or a dump',
  { timeout: 180_000 },
  async () => {
    const programs = postgres ?? '';
    const server = await startPostgres(programs);
    onTestFinished(() => server.stop());
    const started = Date.now();
    const run = await begin(server.url);
    const { folder, secrets, answers } = run;
    const [old, next] = [masterKey(secrets, 'the master key'), masterKey(secrets, 'the next master key')];
    const first = await run.start({ GW_MASTER_KEY: old });
    const key = await live(run.story(first));
    await end(first);
    const both = { GW_MASTER_KEY: next, GW_MASTER_KEY_PREVIOUS: old };
    const second = await run.start(both);
    answers.keep('rotate-master', await gw(folder, ['keys', 'rotate-master', '--store', server.url], both));
    await end(second);
    const third = await run.start({ GW_MASTER_KEY: next });
    await serveRequests(run.story(third), key);
    await end(third);
    expect(sentKeys(run)).toEqual([]);
    for (const { printed } of [first, second, third]) answers.keep('the gateway', printed());
    const dump = await promisify(execFile)(path.join(programs, 'pg_dump'), [server.url], { maxBuffer: 1e9 });
    expect(dump.stdout).toContain('gw-sealed:');
    answers.keep('pg_dump', dump.stdout);
    await server.end();
    answers.keep('the log of PostgreSQL', server.printed());
    expect(server.printed()).toContain('duplicate key value');
    // The other files are unchanged since before there was any secret.
    const written = filesBelow(server.folder).filter((file) => statSync(file).mtimeMs >= started);
    const files = [...filesBelow(folder), ...written];
    expect(placeholdersIn(files).length).toBeGreaterThan(1);
    expect({ files: found(secrets, files), answers: leaksOfAnswers(run) }).toEqual({ files: [], answers: [] });
  },
);
