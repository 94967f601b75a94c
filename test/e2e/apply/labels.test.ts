import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GwRun } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { callControl, control, serveStore, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { gwFor, readFiles, startRelay, writeFiles } from './support.ts';

/** The tests share a gateway: each has its own workspace there, and its own folder name. */
let tests = 0;
let team: string;
let at: string;
let inTeam: { readonly workspace: string };
const nextTeam = (): void => {
  tests += 1;
  team = `team-${tests}`;
  at = `workspaces/${team}`;
  inTeam = { workspace: team };
};

const saying = (text: string): object => ({
  ...{ string: JSON.stringify([{ role: 'user', content: text }]), parameters: {} },
  ...{ virtual_key: '@echo', model: 'm' },
});

let gateway: GatewayProcess;
let cwd: string;
const write = (files: Readonly<Record<string, unknown>>) => writeFiles(files, path.join(cwd, 'folder'));
const remove = (name: string) => rmSync(path.join(cwd, 'folder', `${name}.json`));
const gw = (line: string, of: GatewayProcess = gateway): Promise<GwRun> => gwFor(of, cwd, line.split(' '));
const apply = async (flags = '', of: GatewayProcess = gateway): Promise<string> => {
  const { code, out, err } = await gw(`apply folder${flags}`, of);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};
const idle = 'There is nothing to do.\n';

/**
 * Exports a store with one folder, checks that applying the export changes nothing there, and that an empty store ends up the
 * same.
 */
const expectRoundTrip = async (): Promise<Readonly<Record<string, string>>> => {
  expect(await gw(`export copy --name ${team}`)).toMatchObject({ code: 0 });
  // Records that are older than the folder are adopted once.
  expect((await gw('apply copy')).out).not.toMatch(/: (?:create|change|replace)d?\n {4}/);
  expect((await gw('apply copy')).out).toBe(idle);
  const other = await serveStore();
  expect(await gw('apply copy --keys-file other-keys', other)).toMatchObject({ code: 0 });
  expect((await gw('apply copy', other)).out).toBe(idle);
  expect(await gw(`export again --name ${team}`, other)).toMatchObject({ code: 0 });
  const exported = readFiles(path.join(cwd, 'copy'));
  expect(readFiles(path.join(cwd, 'again'))).toEqual(exported);
  return exported;
};

afterEach(() => vi.unstubAllEnvs());

describe('labels of versions of prompts', () => {
  const rendered = async (reference: string): Promise<string> =>
    (await callControl(gateway, `POST /prompts/${reference}/render`, { ...inTeam, body: { variables: {} } })).text;
  const labelsOf = async (slug: string): Promise<unknown> =>
    ((await control(gateway, `GET /prompts/${slug}`, inTeam)) as { labels?: unknown }).labels;

  const shared = sharedStore();
  beforeEach(async () => {
    nextTeam();
    gateway = shared();
    cwd = temporaryFolder();
    write({
      'gatewright.json': { name: team },
      [`${at}.json`]: {},
      [`${at}/providers/echo.json`]: { provider: 'echo' },
      [`${at}/labels/live.json`]: { name: 'live' },
      // References use another name than the file.
      [`${at}/labels/next-1.json`]: { name: 'Next_1', colour: '#112233' },
      [`${at}/prompts/greet.json`]: { ...saying('Hello'), labels: ['next-1', 'live'] },
      [`${at}/prompts/leave.json`]: { ...saying('Bye'), labels: ['live'] },
    });
    await apply();
  });

  it('are found by their file names, in any order, and survive an export', async () => {
    expect(await apply()).toBe(idle);
    write({ [`${at}/prompts/greet.json`]: { ...saying('Hello'), labels: ['live', 'next-1'] } });
    expect(await apply()).toBe(idle);
    expect(await rendered('greet@Next_1')).toContain('Hello');
    expect(await rendered('leave@live')).toContain('Bye');
    const exported = await expectRoundTrip();
    const greet: { labels?: readonly string[] } = JSON.parse(exported[`${at}/prompts/greet.json`] ?? '{}');
    for (const name of greet.labels ?? []) expect(exported).toHaveProperty([`${at}/labels/${name}.json`]);
    expect(greet.labels).toHaveLength(2);
  });

  it('move to the version that a changed file creates, and are removed if the file lists none', async () => {
    write({ [`${at}/prompts/greet.json`]: { ...saying('Good day'), labels: ['live'] } });
    expect(await apply()).toContain(`${at}/prompts/greet: changed`);
    expect(await rendered('greet@live')).toContain('Good day');
    expect(await rendered('greet@Next_1')).not.toContain('Good day');
    write({ [`${at}/prompts/greet.json`]: saying('Good day') });
    await apply();
    expect(await labelsOf('greet')).toEqual([]);
    expect(await labelsOf('leave')).toEqual(['live']);
    expect(await apply()).toBe(idle);
  });

  it('are renamed if their file says so, and keep their versions', async () => {
    write({ [`${at}/labels/next-1.json`]: { name: 'soon', colour: '#112233' } });
    expect(await apply()).toContain('name: "Next_1" -> "soon"');
    expect(await rendered('greet@soon')).toContain('Hello');
    expect(await apply()).toBe(idle);
  });

  it('are not deleted while a file names them, and are removed from all versions afterwards', async () => {
    remove(`${at}/labels/live`);
    const refused = await gw('apply folder --prune');
    expect(refused.code).toBe(1);
    expect(refused.out + refused.err).toContain('The label "live" no longer has a file, so --prune would delete it.');
    expect(await apply()).toBe(idle);
    expect(await labelsOf('leave')).toEqual(['live']);
    write({
      [`${at}/prompts/greet.json`]: { ...saying('Hello'), labels: ['next-1'] },
      [`${at}/prompts/leave.json`]: saying('Bye'),
    });
    expect(await apply(' --prune')).toContain(`${at}/labels/live: deleted`);
    expect(await labelsOf('leave')).toEqual([]);
    expect(await apply(' --prune')).toBe(idle);
  });

  it('count once if they are written twice, and are an error at their place if they do not exist', async () => {
    write({ [`${at}/prompts/leave.json`]: { ...saying('Bye'), labels: ['live', 'live'] } });
    expect(await apply()).toBe(idle);
    write({ [`${at}/prompts/leave.json`]: { ...saying('Bye'), labels: ['lvie'] } });
    const wrong = await gw('apply folder');
    expect(wrong.code).toBe(1);
    expect(wrong.out + wrong.err).toMatch(/leave\.json:\d+:\d+ {2}\/labels\/0/);
    expect(wrong.out + wrong.err).toContain('There is no label "lvie"');
  });
});

describe('labels that the gateway file declares', () => {
  const always = { required: true, enforce: true };
  const declared = {
    plan: { enum: ['free', 'gold'] },
    team: { type: 'string', pattern: '^[a-z]+$', ...always },
    seats: { type: 'integer', minimum: 1, ...always },
    _user: { type: 'string', ...always },
  };
  const budget = (name: string, more: object): object => ({
    ...{ name, type: 'cost', credit_limit: 100, periodic_reset: 'monthly' },
    ...more,
  });
  const on = (key: string, value: string | readonly string[], group = key): object => ({
    conditions: [{ key, value }],
    group_by: [{ key: group }],
  });

  const policies = async (): Promise<readonly { id: string; name: string; conditions: unknown }[]> => {
    const listed = (await control(gateway, `GET /policies/usage-limits?workspace_id=${team}`)) as {
      data?: unknown;
    };
    const all = listed.data as readonly { id: string; name: string; conditions: unknown }[];
    return all.filter(({ name }) => name === 'Gold').map(({ id, name, conditions }) => ({ id, name, conditions }));
  };

  const shared = sharedStore(() => ({ files: { 'gateway.json': { metadata: declared } } }));
  beforeEach(() => {
    nextTeam();
    gateway = shared();
    cwd = temporaryFolder();
    write({
      'gatewright.json': { name: team },
      [`${at}.json`]: { settings: { metadata: { team: 'blue' } } },
      [`${at}/keys/app.json`]: { name: 'App', scopes: ['completions.write'], defaults: { metadata: { plan: 'gold' } } },
      [`${at}/usage-limits/gold.json`]: budget('Gold', on('metadata.plan', ['gold', 'free'], 'metadata.team')),
      [`${at}/rate-limits/seats.json`]: {
        ...{ name: 'Seats', type: 'requests', unit: 'rpm', value: 10 },
        ...on('metadata.seats', '5', 'metadata._user'),
      },
      [`${at}/usage-limits/all.json`]: budget('All', on('metadata.team', '*')),
    });
  });

  it('apply to policies, workspaces and keys, and survive an export', async () => {
    await apply(' --keys-file keys');
    expect(await apply()).toBe(idle);
    const exported = await expectRoundTrip();
    expect(JSON.parse(exported[`${at}/usage-limits/gold.json`] ?? '{}')).toMatchObject(
      on('metadata.plan', ['gold', 'free'], 'metadata.team'),
    );
    expect(JSON.parse(exported[`${at}.json`] ?? '{}')).toMatchObject({ settings: { metadata: { team: 'blue' } } });
  });

  it.each([
    ['the name of an undeclared label', on('metadata.paln', 'gold'), 'declares no label "paln"'],
    ['a value that the label cannot have', on('metadata.plan', 'golden'), 'never "golden"'],
    ['grouping by an undeclared label', on('metadata.plan', 'gold', 'metadata.tame'), 'declares no label "tame"'],
  ])('report %s in a folder as an error of its file', async (_what, more, message) => {
    await apply(' --keys-file keys');
    write({ [`${at}/usage-limits/gold.json`]: budget('Gold', more) });
    for (const flags of ['', ' --dry-run']) {
      const { code, out, err } = await gw(`apply folder${flags}`);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(message);
      expect(err).toContain(`${at}/usage-limits/gold.json`);
      expect(err).toMatch(/gw: Nothing was changed\.\n$/);
    }
    // The existing limit stays and still applies.
    write({ [`${at}/usage-limits/gold.json`]: budget('Gold', on('metadata.plan', ['gold', 'free'], 'metadata.team')) });
    expect(await apply()).toBe(idle);
  });

  it.each(['usage-limits/gold', 'rate-limits/seats'])(
    'are checked before anything is created, for %s of a workspace that does not exist yet',
    async (name) => {
      const file = path.join(cwd, 'folder', at, `${name}.json`);
      const body = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...body, ...on('metadata.plam', 'gold') }));
      for (const flags of [' --dry-run', ' --keys-file keys']) {
        const { code, out, err } = await gw(`apply folder${flags}`);
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toMatch(/declares no label "plam".*\/conditions\/0\/key.*gw: Nothing was changed\.\n$/s);
        expect(err).not.toContain('workspace_id');
      }
      expect(await callControl(gateway, `GET /workspaces/${team}`)).toMatchObject({ status: 404 });
    },
  );

  it('may begin with "_" in a policy only if the gateway sets them; the command reports the line otherwise', async () => {
    await apply(' --keys-file keys');
    write({ [`${at}/usage-limits/gold.json`]: budget('Gold', on('metadata.plan', 'gold', 'metadata._usr')) });
    const refused =
      /error\[invalid-input\]: .*"_usr".*\n.*gold\.json:\d+:\d+ {2}\/group_by\/0\/key\n(?:.*\n)*?.*Did you mean "_user"\?.*declare it under "metadata"/;
    const file = path.join('folder', at, 'usage-limits/gold.json');
    const made = await gw(`policies usage create ${file} --workspace ${team}`);
    expect(made).toMatchObject({ code: 1, out: '', err: expect.stringMatching(refused) });
  });

  it('cause a warning for a policy if requests may lack the label that it groups by', async () => {
    await apply(' --keys-file keys');
    write({ [`${at}/usage-limits/gold.json`]: budget('Gold', on('metadata.team', '*', 'metadata.plan')) });
    const warning =
      /^warning\[optional-label\]: Requests may lack the label "plan": .*\n.*gold\.json:\d+:\d+ {2}\/group_by\/0\/key\n(?:.*\n)*?.*"required": true/;
    expect(await gw('apply folder --dry-run')).toMatchObject({ code: 0, err: expect.stringMatching(warning) });
    expect(await gw('apply folder')).toMatchObject({ code: 0, err: expect.stringMatching(warning) });
    expect(await apply()).toBe(idle);
    const file = path.join('folder', at, 'usage-limits/gold.json');
    const made = await gw(`policies usage create ${file} --workspace ${team}`);
    expect(made).toMatchObject({ code: 0, err: expect.stringMatching(warning) });
  });

  it('leave one policy if the old one cannot be deleted', async () => {
    await apply(' --keys-file keys');
    const [before] = await policies();
    let refused = 0;
    const relay = await startRelay(gateway, (method, route) => {
      if (method !== 'DELETE' || refused > 0 || !route.endsWith(before?.id ?? '-')) return undefined;
      refused += 1;
      return 503;
    });
    write({ [`${at}/usage-limits/gold.json`]: budget('Gold', on('metadata.plan', 'gold', 'metadata.seats')) });
    const { code } = await gwFor(relay, cwd, ['apply', 'folder']);
    expect([code, refused]).toEqual([1, 1]);
    expect(await policies()).toEqual([before]);
    await apply();
    expect((await policies()).map(({ conditions }) => conditions)).toEqual([[{ key: 'metadata.plan', value: 'gold' }]]);
    expect(await apply()).toBe(idle);
  });
});
