import { expect, it } from 'vitest';
import { askApi } from './support/api-server.ts';

const records = { object: 'list', data: [] };
const sums = { requests: 0, attempts: 0, input_tokens: 0, cost: '0' };
const report = { object: 'list', total: 0, data: [], summary: sums, attempts_from: null };

it.each<[string, object, string]>([
  ['logs list', records, ''],
  ['logs list --cause usage-exhausted --status 412', records, ''],
  [
    'logs list --cause usage-exhaust',
    records,
    'gw: --cause: The gateway has no error "usage-exhaust". Did you mean "usage-exhausted"?\n',
  ],
  [
    'logs list --cause whatever-else',
    records,
    'gw: --cause: The gateway has no error "whatever-else". gw logs list --success no shows the errors that occurred, in the column PROBLEM.\n',
  ],
  ['logs list --status 4290', records, 'gw: --status: There is no status 4290. Write one from 100 to 599.\n'],
])('gw %s, which finds nothing, reports a name that does not exist', async (line, json, more) => {
  const { code, err } = await askApi(line.split(' '), { answer: { json } });
  expect([code, err]).toEqual([0, `gw: Nothing was found.\n${more}`]);
});

it('gw logs analytics, which finds nothing, suggests the saved config that was most likely meant', async () => {
  const json = { object: 'list', data_points: [], data: [{ slug: 'support' }, { slug: 'chat' }] };
  const line = 'logs analytics requests --config suport --since 2026-01-01 --until 2026-01-02';
  const { err, requests } = await askApi(line.split(' '), { answer: { json } });
  expect(err).toBe('gw: Nothing was found.\ngw: --config: Did you mean "support"?\n');
  expect(requests.map((each) => each.line)).toContain('GET /v1/configs?page_size=1000');
});

it.each([
  ['--provider opnai', 'Did you mean "openai"?'],
  ['--provider OpenAI', 'Did you mean "openai"?'],
  ['--provider openai', undefined],
  ['--provider chat-main', 'This is the name of a saved provider: use --slug chat-main.'],
  ['--provider nothing-like-it', undefined],
  ['--slug chat-mian', 'Did you mean "chat-main"?'],
  ['--model gpt-5.4-mni', 'Did you mean "gpt-5.4-mini"?'],
  ['--model gpt-5.4-mini', undefined],
  ['--model whatever', undefined],
  ['--key app', 'The id of the key "app" is 0197c0de-0000-7000-8000-000000000001.'],
  ['--key ap', 'The id of the key "app" is 0197c0de-0000-7000-8000-000000000001.'],
  ['--key 0197c0de-0000-7000-8000-000000000002', 'Did you mean "0197c0de-0000-7000-8000-000000000001"?'],
  ['--key 0197c0de-0000-7000-8000-000000000001', undefined],
])('gw logs list %s, which finds nothing, suggests what was most likely meant', async (flag, note) => {
  const known: Readonly<Record<string, readonly object[]>> = {
    '/v1/providers': [{ slug: 'chat-main' }],
    '/v1/usage': [{ model: 'gpt-5.4-mini', requests: 1 }],
    '/v1/api-keys': [{ id: '0197c0de-0000-7000-8000-000000000001', name: 'app' }],
  };
  const answer = (line: string) => ({
    json: { object: 'list', data: known[line.replace(/^GET |\?.*$/g, '')] ?? [] },
  });
  const { code, err } = await askApi(['logs', 'list', ...flag.split(' ')], { answer });
  const found = note === undefined ? '' : `gw: ${flag.replace(/ .*/, '')}: ${note}\n`;
  expect([code, err]).toEqual([0, `gw: Nothing was found.\n${found}`]);
});

it.each([
  ['keys list --of defualt', '--of: Did you mean "default"?'],
  ['keys list --of acme', '--of: Nothing is saved as "acme". gw workspaces list lists the existing ones.'],
  ['policies usage list --of acme', '--of: Nothing is saved as "acme". gw workspaces list lists the existing ones.'],
  ['policies rate list --of default', undefined],
  [
    'prompts list --collection 7',
    '--collection: Nothing is saved as "7". gw prompts collections list lists the existing ones.',
  ],
  ['logs list --prompt greet', '--prompt: Nothing is saved as "greet". gw prompts list lists the existing ones.'],
  ['configs circuits --config zzz', '--config: Nothing is saved as "zzz". gw configs list lists the existing ones.'],
])('gw %s, which finds nothing, reports a name that is not saved', async (line, note) => {
  const known = /^GET \/v1\/(?:workspaces|collections|configs)\?page_size=1000$/;
  const answer = (asked: string) => ({
    json: { object: 'list', data: known.test(asked) ? [{ id: 'wxyz', slug: 'default' }] : [] },
  });
  const { code, err } = await askApi(line.split(' '), { answer });
  expect([code, err]).toEqual([0, `gw: Nothing was found.\n${note === undefined ? '' : `gw: ${note}\n`}`]);
});

it('suggests nothing if the gateway file has errors and the names cannot be read', async () => {
  const answer = (line: string) =>
    line.startsWith('GET /v1/logs') ? { json: records } : { status: 403, json: { error: { message: 'No.' } } };
  const { code, err } = await askApi(['logs', 'list', '--provider', 'opnai', '--model', 'm', '--key', 'k'], {
    ...{ answer, files: { 'gateway.json': '{ "providers": ' } },
  });
  expect([code, err]).toEqual([0, 'gw: Nothing was found.\n']);
});

it.each<[string, object, string]>([
  [
    '--by metadata.team --since 2026-01-01 --until 2026-01-02',
    {},
    'Nothing was recorded in this time. Choose another with --since and --until.',
  ],
  ['', {}, 'Nothing was recorded in this time. Choose another with --since and --until.'],
  [
    '--by metadata.team',
    { attempts_from: 1_763_630_000 },
    'Nothing was recorded in this time. Choose another with --since and --until. Daily sums reach further back than single attempts, which are stored since 2025-11-20T09:13:20Z.',
  ],
  [
    '--provider openai',
    {},
    'Nothing that matches these flags was recorded in this time. Change them, or the time with --since and --until.',
  ],
])('gw usage %s reports that nothing was recorded in the time instead of printing zeros', async (line, more, said) => {
  const argv = ['usage', ...line.split(' ').filter(Boolean)];
  expect(await askApi(argv, { answer: { json: { ...report, ...more } } })).toMatchObject({
    ...{ code: 0, out: '', err: `gw: ${said}\n` },
  });
});
