import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GwRun } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { callControl, control, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { countAudits, gwFor, readKeys, writeFiles } from './support.ts';

const greeting = JSON.stringify([{ role: 'user', content: 'Hello' }]);

describe('a folder that changes', () => {
  let gateway: GatewayProcess;
  let cwd: string;
  const write = (files: Readonly<Record<string, unknown>>) => writeFiles(files, path.join(cwd, 'folder'));
  const remove = (name: string) => rmSync(path.join(cwd, 'folder', name));
  const gw = (line: string): Promise<GwRun> => gwFor(gateway, cwd, line.split(' '));
  const apply = async (flags = ''): Promise<string> => {
    const { code, out, err } = await gw(`apply folder${flags}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  };

  /** The tests share a gateway: each has its own workspace there, and its own folder name. */
  const shared = sharedStore();
  let tests = 0;
  let team: string;
  let at: string;
  let inTeam: { readonly workspace: string };
  beforeEach(() => {
    tests += 1;
    team = `team-${tests}`;
    at = `workspaces/${team}`;
    inTeam = { workspace: team };
    gateway = shared();
    cwd = temporaryFolder();
    write({ 'gatewright.json': { name: team }, [`${at}.json`]: {} });
  });
  afterEach(() => vi.unstubAllEnvs());

  it('changes what differs, and shows no secret', async () => {
    vi.stubEnv('ONE', 'sk-one-of-this-test-and-more');
    vi.stubEnv('TWO', 'sk-two-of-this-test-and-more');
    const provider = { provider: 'openai', note: 'old', credential: { api_key: '${env:ONE}' } };
    write({ [`${at}/providers/main.json`]: provider });
    expect(await apply()).toContain(`${at}/providers/main: created`);
    write({ [`${at}/providers/main.json`]: { ...provider, note: 'new' } });
    expect(await apply()).toContain(
      `${at}/providers/main: change\n    note: "old" -> "new"\n\nPlan: 0 to create, 1 to change, 0 to delete.`,
    );
    // The same secret under another name is not a change, and adds nothing to the audit log.
    vi.stubEnv('OTHER', 'sk-one-of-this-test-and-more');
    write({ [`${at}/providers/main.json`]: { provider: 'openai', credential: { api_key: '${env:OTHER}' } } });
    const without = await apply();
    expect(without).toContain('    note: "new" -> (nothing)\n');
    expect(without).not.toContain('credential');
    const audits = await countAudits(gateway);
    expect(await apply()).toBe('There is nothing to do.\n');
    expect(await countAudits(gateway)).toBe(audits);
    vi.stubEnv('OTHER', 'sk-two-of-this-test-and-more');
    const dry = await gw('apply folder --dry-run --detailed-exitcode');
    expect(dry).toMatchObject({ code: 2, err: '' });
    expect(dry.out).toContain('    credential/api_key: (a secret) -> "${env:OTHER}"\n');
    expect(dry.out).not.toContain('sk-');
    await apply();
    expect(await apply()).toBe('There is nothing to do.\n');
  });

  it('creates versions of configs and prompts only if their contents change, and publishes them', async () => {
    const prompt = { string: greeting, parameters: {}, virtual_key: '@echo', model: 'm' };
    write({
      [`${at}/providers/echo.json`]: { provider: 'echo' },
      [`${at}/labels/live.json`]: { name: 'live' },
      [`${at}/labels/old.json`]: { name: 'old' },
      [`${at}/collections/first.json`]: { name: 'First' },
      [`${at}/prompts/greet.json`]: { ...prompt, labels: ['old'] },
      [`${at}/partials/bye.json`]: { string: 'Bye' },
      [`${at}/configs/main.json`]: { config: { provider: '@echo' } },
    });
    await apply();
    write({
      [`${at}/prompts/greet.json`]: { ...prompt, collection_id: 'first', name: 'Greeting', labels: ['live'] },
      [`${at}/configs/main.json`]: { name: 'Main', config: { provider: '@echo' }, is_default: true },
    });
    await apply();
    const [first] = ((await control(gateway, 'GET /collections', inTeam)) as unknown as { data: { id: string }[] })
      .data;
    expect(await control(gateway, 'GET /prompts/greet', inTeam)).toMatchObject({
      ...{ version: 1, name: 'Greeting', collection_id: first?.id, labels: ['live'] },
    });
    expect(await control(gateway, 'GET /configs/main', inTeam)).toMatchObject({ version: 1, is_default: true });
    write({
      [`${at}/prompts/greet.json`]: { ...prompt, model: 'n', labels: ['live'] },
      [`${at}/partials/bye.json`]: { string: 'Good bye' },
      [`${at}/configs/main.json`]: { config: { provider: '@echo', retry: { attempts: 2 } } },
    });
    await apply();
    expect(await control(gateway, 'GET /prompts/greet', inTeam)).toMatchObject({
      ...{ version: 2, published_version: 2, name: 'greet', model: 'n', collection_id: null, labels: ['live'] },
    });
    expect(await control(gateway, 'GET /prompts/partials/bye', inTeam)).toMatchObject({
      version: 2,
      string: 'Good bye',
    });
    expect(await control(gateway, 'GET /configs/main', inTeam)).toMatchObject({ version: 2, is_default: false });
    expect(await apply()).toBe('There is nothing to do.\n');
  });

  it('deletes only what it has created, and only with --prune', async () => {
    await apply();
    await control(gateway, 'POST /providers', { ...inTeam, body: { name: 'By hand', slug: 'hand', provider: 'echo' } });
    await control(gateway, 'POST /providers', { ...inTeam, body: { name: 'There', slug: 'there', provider: 'echo' } });
    write({
      [`${at}/providers/own.json`]: { provider: 'echo' },
      [`${at}/providers/there.json`]: { name: 'There', provider: 'echo', note: 'ours' },
      [`${at}/configs/main.json`]: { config: { provider: '@own' }, is_default: true },
    });
    expect(await apply()).toContain(`${at}/providers/there: take over: it already exists`);
    for (const name of ['providers/own', 'providers/there', 'configs/main']) remove(`${at}/${name}.json`);
    expect(await apply()).toBe('There is nothing to do.\n');
    const pruned = await apply(' --prune');
    expect(pruned).toContain(`${at}/configs/main: delete\n`);
    expect(pruned).toContain(`${at}/providers/own: delete\n`);
    expect(pruned).toContain(`${at}/providers/there: release: it existed before, and stays\n`);
    const { data } = (await control(gateway, 'GET /providers', inTeam)) as unknown as { data: { slug: string }[] };
    expect(data.map(({ slug }) => slug).sort()).toEqual(['hand', 'there']);
    expect(await apply(' --prune')).toBe('There is nothing to do.\n');
    remove(`${at}.json`);
    const emptied = await gw('apply folder --prune');
    expect(emptied).toMatchObject({ code: 1 });
    expect(emptied.err).toContain(`The workspace "${team}" is not empty.`);
    for (const slug of ['hand', 'there']) await control(gateway, `DELETE /providers/${slug}`, inTeam);
    rmSync(path.join(cwd, 'folder', at), { recursive: true });
    expect(await apply(' --prune')).toContain(`${at}: deleted`);
  });

  it('sets defaults of a workspace once what they name exists, and deletes it with that', async () => {
    await apply();
    const checks = [{ id: 'contains', parameters: { words: ['w'], operator: 'none' } }];
    write({
      [`${at}.json`]: { settings: { config: 'main', input_guardrails: ['polite'] } },
      [`${at}/guardrails/polite.json`]: { checks },
      [`${at}/configs/main.json`]: { config: { provider: 'echo' } },
    });
    await apply(' --dry-run');
    await apply();
    expect(await apply()).toBe('There is nothing to do.\n');
    const settings = { config: 'main', input_guardrails: ['polite'] };
    expect(await control(gateway, `GET /workspaces/${team}`)).toMatchObject({ settings });
    // A key that the folder has not created would no longer be checked.
    const key = { name: 'By hand', scopes: ['completions.write'] };
    const { id } = await control(gateway, 'POST /api-keys/workspace/service', { ...inTeam, body: key });
    rmSync(path.join(cwd, 'folder/workspaces'), { recursive: true });
    write({ 'workspaces/default.json': {} });
    const refused = await gw('apply folder --prune');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is used by the workspace') });
    expect(await control(gateway, `GET /workspaces/${team}`)).toMatchObject({ settings });
    await control(gateway, `DELETE /api-keys/${id}`, inTeam);
    expect(await apply(' --prune')).toContain(`${at}: deleted`);
    expect(await callControl(gateway, `GET /workspaces/${team}`)).toMatchObject({ status: 404 });
  });

  it('finds policies and keys again by their files, and replaces a policy that counts something else', async () => {
    const policy = {
      ...{ name: 'Budget', type: 'cost', credit_limit: 1 },
      ...{ conditions: [{ key: 'api_key', value: 'app' }], group_by: [{ key: 'api_key' }] },
    };
    const key = { name: 'App', scopes: ['completions.write'] };
    write({ [`${at}/keys/app.json`]: key, [`${at}/usage-limits/budget.json`]: policy });
    const refused = await gw('apply folder');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--keys-file PATH') });
    await apply(' --keys-file keys');
    expect(statSync(path.join(cwd, 'keys')).mode & 0o777).toBe(0o600);
    const { [`${at}/keys/app`]: text = '' } = readKeys(path.join(cwd, 'keys'));
    expect((await callControl(gateway, 'GET /caller', { key: text })).body).toMatchObject({
      scopes: ['completions.write'],
    });
    write({
      [`${at}/keys/app.json`]: { ...key, name: 'Application' },
      [`${at}/usage-limits/budget.json`]: { ...policy, name: 'Renamed', credit_limit: 2 },
    });
    expect(await apply()).toContain('Plan: 0 to create, 2 to change, 0 to delete.');
    write({ [`${at}/usage-limits/budget.json`]: { ...policy, type: 'tokens' } });
    const replaced = await apply();
    expect(replaced).toContain('budget: replace');
    expect(replaced).toContain('Plan: 0 to create, 0 to change, 1 to replace, 0 to delete.');
    expect(await control(gateway, `GET /policies/usage-limits?workspace_id=${team}`)).toMatchObject({
      total: 1,
      data: [{ type: 'tokens' }],
    });
    expect(await control(gateway, `GET /api-keys?workspace_id=${team}`)).toMatchObject({
      total: 1,
      data: [{ name: 'Application' }],
    });
    expect(await apply()).toBe('There is nothing to do.\n');
  });

  it('writes keys to no file in the folder, and to no file that others can read', async () => {
    write({ [`${at}/keys/app.json`]: { name: 'App', scopes: ['completions.write'] } });
    const inside = await gw('apply folder --keys-file folder/keys');
    expect(inside).toMatchObject({ code: 2, err: expect.stringContaining('which is in the folder') });
    writeFiles({ keys: 'x y\n' }, cwd);
    chmodSync(path.join(cwd, 'keys'), 0o644);
    const open = await gw('apply folder --keys-file keys');
    expect(open).toMatchObject({ code: 2, err: expect.stringContaining('chmod 600 keys') });
    expect(existsSync(path.join(cwd, 'folder', 'keys'))).toBe(false);
    expect(await callControl(gateway, `GET /workspaces/${team}`)).toMatchObject({ status: 404 });
  });

  it('refuses to change what somebody else has changed since the plan was made', async () => {
    write({ [`${at}/providers/a.json`]: { provider: 'echo' }, [`${at}/providers/b.json`]: { provider: 'echo' } });
    await apply();
    write({
      [`${at}/providers/a.json`]: { provider: 'echo', note: 'a' },
      [`${at}/providers/b.json`]: { provider: 'echo', note: 'b' },
    });
    const ask = globalThis.fetch;
    let isFirst = true;
    const interfering: typeof fetch = async (...request) => {
      const [url, options] = request;
      if (
        options?.method === 'PUT' &&
        String(url).includes('/providers/') &&
        !String(url).includes('dry_run') &&
        isFirst
      ) {
        isFirst = false;
        vi.stubGlobal('fetch', ask);
        await control(gateway, 'PUT /providers/a', { ...inTeam, body: { note: 'by hand' } });
      }
      return ask(...request);
    };
    vi.stubGlobal('fetch', interfering);
    const { code, err } = await gw('apply folder');
    vi.unstubAllGlobals();
    expect(code).toBe(1);
    expect(err).toContain(`gw: ${at}/providers/a failed.`);
    expect(err).toContain(`gw: 0 of 2 are done. Not done:\n  ${at}/providers/a\n  ${at}/providers/b\n`);
    expect(err).toContain('gw: Run the command again to continue.\n');
    expect(await control(gateway, 'GET /providers/a', inTeam)).toMatchObject({ note: 'by hand' });
    expect(await apply()).toContain('    note: "by hand" -> "a"\n');
  });

  it('never adopts a record that somebody else created during the apply', async () => {
    await apply();
    write({
      [`${at}/providers/main.json`]: { provider: 'echo' },
      [`${at}/providers/other.json`]: { provider: 'echo' },
    });
    const ask = globalThis.fetch;
    vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
      if (request[1]?.method === 'POST' && String(request[0]).endsWith('/providers')) {
        vi.stubGlobal('fetch', ask);
        const body = { name: 'By hand', slug: 'main', provider: 'echo' };
        await control(gateway, 'POST /providers', { ...inTeam, body });
      }
      return ask(...request);
    });
    const { code, err } = await gw('apply folder');
    vi.unstubAllGlobals();
    expect(code).toBe(1);
    expect(err).toContain(`gw: ${at}/providers/main failed.`);
    for (const name of ['main', 'other']) remove(`${at}/providers/${name}.json`);
    expect(await apply(' --prune')).toBe('There is nothing to do.\n');
    expect(await control(gateway, 'GET /providers/main', inTeam)).toMatchObject({ name: 'By hand' });
  });
});
