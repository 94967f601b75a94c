import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GwRun, runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { startApi, useEnvironment } from './support/api-server.ts';

const list = (...flags: readonly string[]): Promise<GwRun> => runGw(temporaryFolder(), ['configs', 'list', ...flags]);

const writeProfiles = (home: string, profiles: object | string, mode = 0o600): string => {
  const file = path.join(home, '.config/gatewright/profiles.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof profiles === 'string' ? profiles : JSON.stringify(profiles));
  chmodSync(file, mode);
  return file;
};

const isWindows = process.platform === 'win32';

describe('a gw command', () => {
  it('takes the URL and the key from the environment, and accepts a URL with a path or /v1', async () => {
    const api = await startApi();
    for (const end of ['', '/', '/v1', '/v1/']) {
      useEnvironment({ GW_URL: `${api.url}${end}`, GW_API_KEY: 'gw-env' });
      expect(await list()).toMatchObject({ code: 0 });
    }
    useEnvironment({ GW_URL: `${api.url}/llm` });
    await list('--workspace', 'research');
    expect(api.requests.map(({ line, key, workspace }) => [line, key, workspace])).toEqual([
      ...Array.from({ length: 4 }, () => ['GET /v1/configs', 'gw-env', undefined]),
      ['GET /llm/v1/configs', undefined, 'research'],
    ]);
  });

  it('uses the profile "default" if the environment sets nothing, and a profile that is named in any case', async () => {
    const api = await startApi();
    const { home } = useEnvironment();
    writeProfiles(home, {
      default: { url: api.url, key: 'gw-default', workspace: 'main' },
      staging: { url: api.url, key: 'gw-staging' },
    });
    await list();
    const other = await startApi();
    useEnvironment({ HOME: home, GW_URL: other.url, GW_API_KEY: 'gw-env' });
    await list('--profile', 'staging');
    await list();
    expect(api.requests).toMatchObject([
      { key: 'gw-default', workspace: 'main' },
      { key: 'gw-staging', workspace: undefined },
    ]);
    expect(other.requests).toMatchObject([{ key: 'gw-env' }]);
  });

  it('sends the key of a profile only to the gateway of that profile', async () => {
    const [api, other] = [await startApi(), await startApi()];
    const { home } = useEnvironment();
    writeProfiles(home, { default: { url: api.url, key: 'gw-default' } });
    expect(await list('--url', other.url)).toEqual({
      code: 2,
      out: '',
      err: `gw: The profile "default" has a key for ${api.url}, which is not sent to ${other.url}. Set GW_API_KEY to a key of that gateway, or name another profile with --profile.\n`,
    });
    expect(await list('--url', `${api.url}/v1`)).toMatchObject({ code: 0 });
    expect([api.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('does not follow a redirect', async () => {
    const other = await startApi();
    const api = await startApi({ status: 307, json: {}, headers: { location: other.url } });
    useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-env' });
    expect(await list()).toEqual({
      code: 1,
      out: '',
      err: `gw: ${api.url} answered with a redirect, which is not followed. Set --url or GW_URL to the gateway itself.\n`,
    });
    expect(other.requests).toEqual([]);
  });

  it.each([['--key', 'gw-secret'], ['--key=gw-secret'], ['--api-key=gw-secret']])(
    'refuses a key on the command line: %s',
    async (...flags) => {
      useEnvironment();
      const { code, out, err } = await list(...flags);
      const flag = flags[0]?.replace(/=.*/, '');
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toBe(
        `gw: A service key is not given as ${flag}: others on this machine could read it. Set GW_API_KEY, or write it into a profile.\n`,
      );
    },
  );

  it.each([
    ['logs', 'list', '--key', 'gw-secret'],
    ['logs', 'list', '--key=an-admin-key-that-is-longer-than-any-id'],
    ['usage', '--key', 'gw-secret'],
    ['logs', '--follow', '--key', 'gw-secret'],
  ])('also refuses a key if --key takes the id of one: %s %s %s %s', async (...line) => {
    useEnvironment();
    const { code, err } = await runGw(temporaryFolder(), line);
    expect([code, err]).toEqual([2, expect.stringMatching(/^gw: A service key is not given as --key: /)]);
  });

  it('also refuses the key of a provider, and names the flag for its variable', async () => {
    useEnvironment();
    const flags = ['--name', 'Main', '--provider', 'openai', '--key', 'sk-secret'];
    expect(await runGw(temporaryFolder(), ['providers', 'create', ...flags])).toEqual({
      code: 2,
      out: '',
      err: "gw: A provider's key is not given as --key: others on this machine could read it. Name the environment variable that has it: --key-env OPENAI_API_KEY.\n",
    });
  });

  it.skipIf(isWindows)('refuses profiles that others can read', async () => {
    const { home } = useEnvironment();
    const file = writeProfiles(home, { default: { url: 'http://127.0.0.1:1', key: 'gw-secret' } }, 0o640);
    expect(await list()).toEqual({
      code: 2,
      out: '',
      err: `gw: The profiles in ${file} have keys, but other users can read the file. Run: chmod 600 ${file}\n`,
    });
  });

  const example = '{ "default": { "url": "https://gateway.example.com", "key": "gw-…" } }';
  it.each([
    ['{', 'default', 'FILE is not a JSON object.'],
    [{}, 'default', `There is no profile "default" in FILE. Write profiles as ${example}.`],
    [{ main: {} }, 'mian', 'There is no profile "mian" in FILE. Did you mean --profile main?'],
    [
      { main: {}, b: {} },
      'other',
      'There is no profile "other" in FILE. Name one of its profiles with --profile: "main", "b".',
    ],
    [{ main: [] }, 'main', 'The profile "main" in FILE is not an object.'],
    [
      { main: { uri: 'x' } },
      'main',
      'The profile "main" in FILE has a member "uri", which profiles do not have. Did you mean "url"?',
    ],
    [{ main: { key: 'gw-secret' } }, 'main', 'The profile "main" in FILE has no "url".'],
    [
      { main: { url: 'http://a', key: 1 } },
      'main',
      'The profile "main" in FILE has a member "key" that is not a text.',
    ],
    [
      { main: { url: 'http://a', key: 'gw- secret' } },
      'main',
      'The key of the profile "main" has a character that is not allowed in a header',
    ],
  ])('reports a wrong profile in a sentence without its key: %j', async (profiles, name, message) => {
    const { home } = useEnvironment();
    const file = writeProfiles(home, profiles);
    const { code, err } = await list('--profile', name);
    expect(code).toBe(2);
    expect(err.replaceAll(file, 'FILE')).toContain(`gw: ${message}`);
    expect(err).not.toContain('secret');
  });

  it('reports a profile if there is no file of profiles', async () => {
    useEnvironment();
    const { code, err } = await list('--profile', 'main');
    expect(code).toBe(2);
    expect(err).toMatch(/^gw: The profile "main" was not found, because there is no file \S+profiles\.json\. /);
  });

  it.each([
    ['gateway:8787', 'is not the URL of a gateway.'],
    ['ftp://gateway', 'is not the URL of a gateway.'],
    ['http://me:secret@gateway', 'contains a user or a password, which gateways do not use.'],
    ['http://gateway/?key=secret', 'has more than a host and a path.'],
  ])('reports a wrong URL without repeating it: %s', async (url, message) => {
    useEnvironment({ GW_URL: url });
    for (const { code, err } of [await list(), await list('--url', url)]) {
      expect(code).toBe(2);
      expect(err).toContain(message);
      expect(err).not.toContain('secret');
    }
  });

  it.each(['a b', 'ä', 'gw-1\nx: y'])(
    'reports a key that no header can carry, without repeating it: %j',
    async (key) => {
      useEnvironment({ GW_URL: 'http://127.0.0.1:1', GW_API_KEY: key });
      const { code, err } = await list();
      expect(code).toBe(2);
      expect(err).toMatch(/^gw: The key of GW_API_KEY has a character that is not allowed in a header/);
      expect(err).not.toContain(key);
    },
  );

  it('accepts only a slug or an id as the workspace', async () => {
    useEnvironment();
    expect(await list('--workspace', 'a\r\nb')).toMatchObject({
      code: 2,
      err: 'gw: Workspace names may contain only letters, digits, - and _. Correct --workspace, or the profile.\n',
    });
  });
});
