import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askGateway } from '../../../../plugins/control/cli/client/ask-gateway.ts';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { askApi, startApi, useEnvironment } from './support/api-server.ts';

const problem = (pointer: string, message: string, more: object = {}): object => ({
  pointer,
  message,
  hint: 'Do so.',
  ...more,
});

const refusal = (errors: readonly object[]) => ({
  status: 400,
  json: {
    error: {
      message: 'The request is not valid.',
      type: 'invalid_request_error',
      param: null,
      code: 'AB01',
      errors,
    },
  },
});

describe('a command', () => {
  const configs = {
    object: 'list',
    total: 2,
    data: [
      { slug: 'pc-a-1', name: 'A \u001b[31mred\u001b[0m one', is_default: true, last_updated_at: 1_763_630_000 },
      { slug: 'pc-b-2', name: 'B', is_default: false, last_updated_at: 1_763_630_000 },
    ],
  };

  it('prints a table without control characters', async () => {
    expect(await askApi(['configs', 'list'], { answer: { json: configs } })).toMatchObject({
      code: 0,
      err: '',
      out: [
        'SLUG    NAME       DEFAULT  CHANGED',
        'pc-a-1  A red one  yes      2025-11-20T09:13:20Z',
        'pc-b-2  B          no       2025-11-20T09:13:20Z',
        '',
      ].join('\n'),
    });
  });

  it('prints usage as a table with its total', async () => {
    const sums = { requests: 1, attempts: 2, input_tokens: 30, cache_read_tokens: 4, output_tokens: 5 };
    const row = { ...sums, reasoning_tokens: 0, cost: '0.5', nano_usd: '500000000' };
    const data = [
      { model: 'gpt-4o', 'metadata.team': 'red', day: 1_763_596_800, ...row },
      { model: 'o3', 'metadata.team': null, day: null, is_other: true, ...row },
    ];
    const json = { object: 'list', total: 9, data, summary: { ...row, cost: '1' } };
    expect(await askApi(['usage', '--by', 'model,metadata.team,day'], { answer: { json } })).toMatchObject({
      code: 0,
      err: 'gw: 2 of 9 groups are listed: --page and --page-size choose which.\n',
      out: [
        'MODEL   METADATA.TEAM  DAY                   REQUESTS  ATTEMPTS  INPUT  CACHED  OUTPUT  REASONING  USD',
        'gpt-4o  red            2025-11-20T00:00:00Z  1         2         30     4       5       0          0.5',
        'o3      other values   -                     1         2         30     4       5       0          0.5',
        'total                                        1         2         30     4       5       0          1',
        '',
      ].join('\n'),
    });
  });

  it('prints usage in the order of --by, with the rows of a group together', async () => {
    const sums = { requests: 1, attempts: 1, input_tokens: 3, cache_read_tokens: 0, output_tokens: 5 };
    const row = (model: string, team: string, cost: string): object => ({
      ...{ model, 'metadata.team': team, ...sums, reasoning_tokens: 0, cost, nano_usd: '1' },
    });
    const data = [row('o3', 'red', '3'), row('o3', 'blue', '2'), row('gpt-4o', 'red', '1')];
    const json = { object: 'list', total: 3, data, summary: row('', '', '6') };
    const { out } = await askApi(['usage', '--by', 'metadata.team,model'], { answer: { json } });
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['METADATA.TEAM', 'MODEL'],
      ['red', 'o3'],
      ['red', 'gpt-4o'],
      ['blue', 'o3'],
      ['total', '1'],
      [''],
    ]);
  });

  describe('that shows costs', () => {
    const sums = { requests: 3, attempts: 3, input_tokens: 3, cache_read_tokens: 0, output_tokens: 3 };
    const row = (cost: string, unpriced: number): object => ({ ...sums, reasoning_tokens: 0, cost, unpriced });
    const note = (what: string): string =>
      `gw: USD does not include ${what} without a known price (UNPRICED). Add the prices of these models to "prices" in the gateway file; gw usage --by provider,model shows the models.\n`;

    const groupings = ['workspace', 'key', 'model', 'provider', 'config', 'day', 'hour', 'metadata.team'];
    const lines: readonly (readonly [string, readonly string[]])[] = [
      ['usage', []],
      ...groupings.map((by) => [`usage --by ${by}`, [by]] as const),
    ];

    it.each(lines)('prints the number of unpriced attempts: gw %s', async (line, groups) => {
      const named = (value: string) => Object.fromEntries(groups.map((name) => [name, value]));
      const data = [
        { ...named('a'), ...row('0.5', 0) },
        { ...named('b'), ...row('0', 2) },
      ];
      const json = { object: 'list', total: 2, data, summary: row('0.5', 2) };
      const { code, out, err } = await askApi(line.split(' '), { answer: { json } });
      expect({ code, err }).toEqual({ code: 0, err: note('2 attempts') });
      expect(out.split('\n')[0]).toMatch(/ USD +UNPRICED$/);
      expect(out).toMatch(/ 0\.5 +2\n$/);
      if (groups.length > 0) expect(out).toMatch(/\nb .* 0 +2\n/);
    });

    it('prints the number of unpriced requests of a mirror', async () => {
      const arm = { config: 'a', node: '', arm: 'mirror', provider: 'p', model: 'm', requests: 2, errors: 0 };
      const json = { object: 'list', data: [{ ...arm, cost: '0', unpriced: 1 }] };
      const { out, err } = await askApi(['usage', 'arms'], { answer: { json } });
      expect(err).toBe(note('1 request'));
      expect(out.split('\n')[0]).toMatch(/ UNPRICED$/);
    });

    it('prints no such number if all costs are known', async () => {
      const json = { object: 'list', total: 1, data: [row('0.5', 0)], summary: row('0.5', 0) };
      const { out, err } = await askApi(['usage'], { answer: { json } });
      expect({ err, has: out.includes('UNPRICED') }).toEqual({ err: '', has: false });
    });
  });

  it('prints the response of the gateway with --format json', async () => {
    const { code, out, err } = await askApi(['configs', 'list', '--format', 'json'], { answer: { json: configs } });
    expect({ code, err, json: JSON.parse(out) }).toEqual({ code: 0, err: '', json: configs });
  });

  it('prints a new key alone on standard output, so that a script can read it', async () => {
    const answer = { json: { object: 'api-key', id: '0198', key: 'gw-new' } };
    const argv = ['keys', 'create', '--name', 'a', '--scopes', 'completions.write'];
    expect(await askApi(argv, { answer })).toMatchObject({
      code: 0,
      out: 'gw-new\n',
      err: 'gw: This key (0198) is not shown again.\n',
    });
  });

  it('prints only the config with --format config', async () => {
    const json = {
      object: 'config',
      id: '1',
      slug: 'a',
      config: { provider: 'openai', api_key: 'gw-sealed:/api_key' },
    };
    const { code, out, err } = await askApi(['configs', 'get', 'a', '--format', 'config'], { answer: { json } });
    expect({ code, err, out }).toEqual({ code: 0, err: '', out: `${JSON.stringify(json.config, undefined, 2)}\n` });
    expect(
      await askApi(['configs', 'get', 'a', '--format', 'config'], { answer: { json: { object: 'config' } } }),
    ).toMatchObject({
      code: 1,
      out: '',
    });
    expect((await askApi(['configs', 'versions', 'a', '--format', 'config'])).code).toBe(2);
  });

  it('prints until when the old key stays valid after a rotation', async () => {
    const json = { object: 'api-key', id: '0198', key: 'gw-new', key_transition_expires_at: 1_896_087_600 };
    expect(await askApi(['keys', 'rotate', '0198'], { answer: { json } })).toMatchObject({
      code: 0,
      out: 'gw-new\n',
      err: 'gw: This key (0198) is not shown again. The old key stays valid until 2030-01-31T11:00:00Z.\n',
    });
  });

  it('prints a sentence about what was created, changed or deleted', async () => {
    const files = { 'a.json': { provider: 'echo' } };
    const made = { json: { success: true, data: { id: '1', version_id: '2', slug: 'pc-a-1' } } };
    expect((await askApi(['configs', 'create', 'a.json'], { answer: made, files })).out).toBe(
      'The config was saved as pc-a-1.\n',
    );
    expect((await askApi(['configs', 'update', 'pc-a-1', 'a.json'], { answer: made, files })).out).toBe(
      'The config pc-a-1 was saved and is in service.\n',
    );
    expect((await askApi(['configs', 'delete', 'pc-a-1'], { answer: { json: {} } })).out).toBe(
      'The config pc-a-1 was deleted.\n',
    );
  });

  it('prints the models of an integration, and whether others may be called', async () => {
    const json = { models: [{ slug: 'gpt-4o', enabled: true }], allow_all_models: false };
    expect(await askApi(['integrations', 'models', 'shared'], { answer: { json } })).toMatchObject({
      code: 0,
      out: 'MODEL   ENABLED  CUSTOM  BASE\ngpt-4o  yes      -       -\n',
      err: 'gw: Whether other models may be called: no.\n',
    });
  });

  it('prints a rendered prompt as JSON', async () => {
    const data = { messages: [{ role: 'user', content: 'Hello Ada' }], model: 'm' };
    const { out } = await askApi(['prompts', 'render', 'a'], { answer: { json: { success: true, data } } });
    expect(JSON.parse(out)).toEqual(data);
  });
});

describe('a refusal of the gateway', () => {
  const files = {
    'support.json': '// People ask here.\n{\n  "strategy": { "mode": "falback" },\n  "targets": []\n}\n',
  };

  it('is reported at the line of the file that it is about, and otherwise with the flag', async () => {
    const answer = refusal([
      problem('/config/strategy/mode', 'There is no strategy "falback".', { code: 'unknown-strategy' }),
      problem('/config/targets', 'There are no targets.'),
      problem('/name', 'The name is taken.'),
      { in: 'query', ...problem('/dry_run', 'It is no boolean.') },
    ]);
    const { code, out, err } = await askApi(['configs', 'create', 'support.json'], { answer, files });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      [
        'error[unknown-strategy]: There is no strategy "falback".',
        '  ┌─ support.json:3:25  /strategy/mode',
        '3 │   "strategy": { "mode": "falback" },',
        '  │                         ^^^^^^^^^',
        '  = hint: Do so.',
        '',
        'error[invalid-input]: There are no targets.',
        '  ┌─ support.json:4:14  /targets',
        '4 │   "targets": []',
        '  │              ^',
        '  = hint: Do so.',
        '',
        'gw: --name: The name is taken. Do so.',
        'gw: --dry-run: It is no boolean. Do so.',
        '',
      ].join('\n'),
    );
  });

  it('is reported at the name of an unknown member, and without a line if the file lacks the member', async () => {
    const answer = refusal([
      { ...problem('/string', 'There is no member "string". Did you mean "text"?'), code: 'unknown-key' },
      problem('/credential', 'It is missing.'),
    ]);
    const body = { 'p.json': '{ "string": "{{" }' };
    const { err } = await askApi(['prompts', 'create', 'p.json', '--name', 'x'], { answer, files: body });
    expect(err).toContain('┌─ p.json:1:3  /string');
    expect(err).toContain('gw: credential: It is missing. Do so.\n');
  });

  it('is reported at the line of a complete body, except for what a flag sets', async () => {
    const answer = refusal([problem('/string', 'It is no template.'), problem('/name', 'The name is too long.')]);
    const body = { 'p.json': '{ "string": "{{" }' };
    const { err } = await askApi(['prompts', 'create', 'p.json', '--name', 'x'], { answer, files: body });
    expect(err).toContain('┌─ p.json:1:13  /string');
    expect(err).toContain('gw: --name: The name is too long. Do so.\n');
  });

  it('shows no secret of the file', async () => {
    const answer = refusal([problem('/key', 'The key is too short.')]);
    const { err } = await askApi(['providers', 'create', 'p.json'], {
      answer,
      files: { 'p.json': '{ "provider": "openai", "key": "sk-secret" }' },
    });
    expect(err).toContain('p.json:1:32');
    expect(err).not.toContain('sk-secret');
  });

  it('is one line without control characters if it is about no part of the request', async () => {
    const answer = { status: 404, json: { error: { message: 'There is no config "\u001b[2Ja\nb".', code: 'AB08' } } };
    expect(await askApi(['configs', 'get', 'a'], { answer })).toMatchObject({
      code: 1,
      out: '',
      err: 'gw: There is no config "a b".\n',
    });
  });

  it('is also printed as JSON with --format json', async () => {
    const answer = refusal([problem('/name', 'The name is taken.')]);
    const { code, out, err } = await askApi(['keys', 'create', '--name', 'a', '--format', 'json'], { answer });
    expect({ code, json: JSON.parse(out) }).toEqual({ code: 1, json: answer.json });
    expect(err).toBe('gw: --name: The name is taken. Do so.\n');
  });

  it('for a missing or wrong key is reported with how to set the key', async () => {
    const api = await startApi({ status: 401, json: { error: { message: 'This gateway requires a service key.' } } });
    useEnvironment({ GW_URL: api.url });
    const run = () => runGw(temporaryFolder(), ['keys', 'list']);
    expect((await run()).err).toBe(
      'gw: This gateway requires a service key. Set GW_API_KEY, or name a profile with --profile.\n',
    );
    useEnvironment({ GW_URL: api.url, GW_API_KEY: 'gw-old' });
    expect((await run()).err).toContain(' Correct GW_API_KEY, or name a profile with --profile.\n');
  });

  it('for a key that is no longer valid is reported with possible reasons, and names no header', async () => {
    const message =
      'The service key of this request is not valid. Send a key that is valid, in the header x-gw-api-key.';
    expect(await askApi(['keys', 'list'], { answer: { status: 401, json: { error: { message } } } })).toMatchObject({
      code: 1,
      err: 'gw: The service key of this request is not valid. It may have expired or been revoked. Correct GW_API_KEY, or name a profile with --profile.\n',
    });
  });

  it('names commands and flags instead of requests and members', async () => {
    const hint = 'Write one of them: GET /v1/prompts/partials lists them, GET /v1/openapi.json all.';
    const answer = refusal([
      problem('', 'The member "name" is missing.', { hint: 'Add it.' }),
      problem('', 'The member "other" is missing.', { hint: 'Add it.' }),
      problem('/credential', 'This is no credential.', { hint }),
      problem('/expires_at', 'This time has passed.', { hint: 'Write a time after 1763630000.' }),
    ]);
    expect((await askApi(['providers', 'create', '--slug', 'a'], { answer })).err).toBe(
      [
        'gw: --name is missing. Add it.',
        'gw: The member "other" is missing. Add it.',
        'gw: --key-env: This is no credential. Write one of them: gw prompts partials list lists them, GET /v1/openapi.json all.',
        'gw: --expires: This time has passed. Write a time after 2025-11-20T09:13:20Z.',
        '',
      ].join('\n'),
    );
  });

  it('names the flags of missing query parameters', async () => {
    const answer = refusal([
      { in: 'query', ...problem('', 'The query parameter "time_min" is missing.', { hint: 'Add it.' }) },
      { in: 'query', ...problem('', 'The query parameter "other" is missing.', { hint: 'Add it.' }) },
    ]);
    expect((await askApi(['logs', 'analytics', 'summary'], { answer })).err).toBe(
      'gw: --since is missing. Add it.\ngw: The query parameter "other" is missing. Add it.\n',
    );
  });

  it.each([
    [['keys', 'create', '--user', 'a'], '/user_id', 'Write user_id, or leave user_id out, and not "user_id".'],
    [['keys', 'get', '1'], '/id', 'Write user_id, or leave user_id out, and not "user_id".'],
  ])('names only flags of the command instead of members: gw %s', async (argv, pointer, hint) => {
    const { err } = await askApi(argv, { answer: refusal([problem(pointer, 'It is wrong.', { hint })]) });
    const written = argv.includes('--user') ? '--user' : 'user_id';
    expect(err).toContain(`It is wrong. Write ${written}, or leave ${written} out, and not "user_id".\n`);
  });

  it('writes a duration as the flag takes it', async () => {
    const answer = refusal([
      problem('/key_transition_period_ms', 'The previous key cannot stay valid for 300000 milliseconds.', {
        hint: 'Write whole milliseconds, 1800000 (half an hour) to 31536000000 (a year), or 5.',
      }),
    ]);
    expect((await askApi(['keys', 'rotate', '1', '--transition', '5m'], { answer })).err).toBe(
      'gw: --transition: The previous key cannot stay valid for 5m. Write 30m (half an hour) to 365d (a year), or 5.\n',
    );
  });

  it('names the flag of a workspace instead of its header', async () => {
    const message =
      'The service key of this request does not reach the workspace "b" that x-gw-workspace names. Name one, or omit the header.';
    const answer = { status: 403, json: { error: { message } } };
    expect((await askApi(['keys', 'list', '--workspace', 'b'], { answer })).err).toBe(
      'gw: The service key of this request does not reach the workspace "b". Name one, or omit --workspace, or "workspace" in the profile.\n',
    );
  });

  it.each([
    ['openai', 'api_key', 'Add --key-env OPENAI_API_KEY: it names the environment variable that has the key.'],
    ['google', 'api_key', 'Add --key-env GEMINI_API_KEY: it names the environment variable that has the key.'],
    ['bedrock', 'aws_access_key_id', 'Add "credential": { "aws_access_key_id": … }.'],
  ])('names the flag for a missing credential in its hint only: %s', async (provider, field, hint) => {
    const answer = refusal([
      problem('/credential', `The provider ${provider} needs a credential.`, {
        hint: `Add "credential": { "${field}": … }.`,
      }),
    ]);
    const files = { 'main.json': { name: 'Main', provider } };
    expect((await askApi(['providers', 'create', 'main.json'], { answer, files })).err).toBe(
      `gw: The provider ${provider} needs a credential. ${hint}\n`,
    );
  });

  it('names the flag that sends a stored credential again', async () => {
    const hint = 'Send the credential itself together with this change.';
    const answer = refusal([problem('/key', 'The stored credential is for a, and this change leads to b.', { hint })]);
    const files = { 'change.json': { settings: {} } };
    for (const argv of [['--note', 'new'], ['change.json']])
      expect((await askApi(['providers', 'update', 'main', ...argv], { answer, files })).err).toContain(
        'Give the credential together with this change: --key-env NAME.',
      );
  });

  it('names the help that shows a complete file if the file lacks a member without a flag', async () => {
    const lacking = (member: string) =>
      askApi(['policies', 'usage', 'create', 'policy.json'], {
        answer: refusal([problem('', `The member "${member}" is missing.`, { hint: 'Add it.' })]),
        files: { 'policy.json': {} },
      });
    const help = 'gw: gw policies usage create --help shows a complete FILE.\n';
    expect((await lacking('conditions')).err).toContain(help);
    expect((await lacking('credit_limit')).err).not.toContain(help);
  });

  it.each([{}, [], null, 'no', { error: 'no' }, { error: { errors: 'no' } }])(
    'without a message is reported with its status: %j',
    async (json) => {
      expect(await askApi(['keys', 'list'], { answer: { status: 500, json } })).toMatchObject({
        code: 1,
        err: 'gw: The gateway answered with the status 500.\n',
      });
    },
  );

  it('is not needed for a file that is not JSON, which is reported as gw check reports it', async () => {
    const { code, err, requests } = await askApi(['configs', 'create', 'a.json'], {
      files: { 'a.json': '{ "provider": }' },
    });
    expect(err).toContain('error[syntax-error]');
    expect(err).toContain('a.json:1:15');
    expect({ code, requests }).toEqual({ code: 1, requests: [] });
  });
});

describe('a prompt that is run', () => {
  const events = (...data: readonly object[]): { readonly text: string; readonly headers: Record<string, string> } => ({
    text: [...data.map((each) => JSON.stringify(each)), '[DONE]'].map((each) => `data: ${each}\n\n`).join(''),
    headers: { 'content-type': 'text/event-stream' },
  });
  const chunk = (content: string): object => ({ choices: [{ delta: { content } }] });
  const argv = ['prompts', 'run', 'greet', '--variable', 'name=Ada'];
  const body = { variables: { name: 'Ada' } };

  it('prints the text of a stream without control characters', async () => {
    const answer = events({ choices: [{ delta: { role: 'assistant' } }] }, chunk('Hel'), chunk('lo\u001b[2J,\nAda'));
    const { code, out, err, requests } = await askApi(argv, { answer });
    expect({ code, out, err }).toEqual({ code: 0, out: 'Hello,\nAda\n', err: '' });
    expect(requests).toMatchObject([{ line: 'POST /v1/prompts/greet/completions', body: { ...body, stream: true } }]);
  });

  it.each([{ choices: [{ message: { content: 'Hello' } }] }, { choices: [{ text: 'Hello' }] }])(
    'prints the text of a response that is not a stream: %j',
    async (json) => {
      expect(await askApi(argv, { answer: { json } })).toMatchObject({ code: 0, out: 'Hello\n', err: '' });
    },
  );

  it('prints one response as JSON with --format json', async () => {
    const json = { choices: [{ message: { content: 'Hello' } }], usage: { total_tokens: 2 } };
    const { code, out, requests } = await askApi([...argv, '--format', 'json'], { answer: { json } });
    expect({ code, json: JSON.parse(out) }).toEqual({ code: 0, json });
    expect(requests).toMatchObject([{ body: { ...body, stream: false } }]);
  });

  it('fails after the text printed so far if its stream contains an error', async () => {
    const answer = events(chunk('Hel'), { error: { message: 'The provider ended the stream.' } });
    expect(await askApi(argv, { answer })).toMatchObject({
      code: 1,
      out: 'Hel\n',
      err: 'gw: The provider ended the stream.\n',
    });
  });

  it('reports that the response has no text', async () => {
    const answer = events({ choices: [{ delta: { tool_calls: [] } }] });
    expect(await askApi(argv, { answer })).toMatchObject({
      code: 0,
      out: '',
      err: 'gw: The answer has no text. Show the whole answer with --format json.\n',
    });
  });

  it('reports a refusal like any other command', async () => {
    const answer = { status: 404, json: { error: { message: 'There is no prompt "greet".' } } };
    expect(await askApi(argv, { answer })).toMatchObject({
      code: 1,
      out: '',
      err: 'gw: There is no prompt "greet".\n',
    });
  });
});

describe('a template', () => {
  it('is sent as it is, and its problems are reported with the name of its file', async () => {
    const answer = refusal([
      problem('/string', 'A section is not closed (at line 2, column 1).', { line: 2, column: 1 }),
    ]);
    const files = { 'sign-off.mustache': 'Yours,\n{{#name}}' };
    const { code, err, requests } = await askApi(['prompts', 'partials', 'create', 'sign-off.mustache'], {
      answer,
      files,
    });
    expect(requests).toMatchObject([{ body: { name: 'sign-off', string: files['sign-off.mustache'] } }]);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'gw: sign-off.mustache: A section is not closed (at line 2, column 1). Do so.\n',
    });
  });
});

describe('a dry run', () => {
  it('prints the diagnostics with their lines, and the bounds', async () => {
    const diagnostics = [
      { code: 'unused', severity: 'warning', message: 'It is never reached.', pointer: '/config/targets/0' },
    ];
    const answer = { json: { diagnostics, bounds: { attempts: 3, longest_ms: 1000 } } };
    const { code, out, err } = await askApi(['configs', 'update', 'a', 'a.json', '--dry-run'], {
      answer,
      files: { 'a.json': '{\n  "targets": [{ "provider": "echo" }]\n}' },
    });
    expect({ code, out }).toEqual({ code: 0, out: 'attempts    3\nlongest_ms  1000\n' });
    expect(err).toContain('warning[unused]: It is never reached.\n  ┌─ a.json:2:15  /targets/0');
    expect(err).toMatch(/gw: Nothing was saved\.\n$/);
  });

  it('fails if saving would fail', async () => {
    const diagnostics = [{ code: 'no-targets', severity: 'error', message: 'It is empty.', pointer: '/config' }];
    const { code, out, err } = await askApi(['configs', 'create', 'a.json', '--dry-run'], {
      answer: { json: { diagnostics, bounds: null } },
      files: { 'a.json': '{}' },
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('error[no-targets]: It is empty.\n  ┌─ a.json:1:1');
  });

  it('prints only the response with --format json', async () => {
    const json = { diagnostics: [{ severity: 'error', pointer: '/config' }], bounds: null };
    const argv = ['configs', 'create', 'a.json', '--dry-run', '--format', 'json'];
    const { code, out, err } = await askApi(argv, { answer: { json }, files: { 'a.json': '{}' } });
    expect({ code, err, json: JSON.parse(out) }).toEqual({ code: 1, err: '', json });
  });
});

describe('the error of a failed request', () => {
  const list = async (url: string) => {
    useEnvironment({ GW_URL: url, GW_API_KEY: 'gw-test' });
    return runGw(temporaryFolder(), ['keys', 'list']);
  };

  it('reports that nothing listens at the address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const origin = `http://127.0.0.1:${port}`;
    expect(await list(origin)).toEqual({
      code: 1,
      out: '',
      err: `gw: Nothing listens at ${origin}. Start the gateway, or name it with --url or GW_URL.\n`,
    });
  });

  it('reports a port that clients refuse, and a server without TLS', async () => {
    expect((await list('http://127.0.0.1:1')).err).toBe(
      'gw: Clients refuse to connect to the port of http://127.0.0.1:1. Correct --url or GW_URL.\n',
    );
    const api = await startApi();
    const origin = api.url.replace('http:', 'https:');
    expect((await list(origin)).err).toBe(
      `gw: ${origin} does not use TLS. Write http:// instead of https:// in --url or GW_URL if it serves plain HTTP.\n`,
    );
  });

  it('reports a server that closes the connection before the TLS handshake', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await list(origin)).err).toBe(
      `gw: ${origin} closed the connection before the TLS handshake. Write http:// instead of https:// in --url or GW_URL if it does not use TLS.\n`,
    );
  });

  it('reports a server that closes the connection', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await list(origin)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^gw: The connection to http:\S+ failed \(\w+\)\. Check --url or GW_URL, and try again\.\n$/,
      ),
    });
    server.close();
  });

  it('reports a server that does not answer in HTTP', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await list(origin)).err).toBe(
      `gw: ${origin} does not answer in HTTP. Correct --url or GW_URL; write https:// instead of http:// if it uses TLS.\n`,
    );
  });

  it('reports a response that is not JSON', async () => {
    const api = await startApi({ status: 502, text: '<html>Bad gateway</html>' });
    expect(await list(api.url)).toEqual({
      code: 1,
      out: '',
      err: `gw: ${api.url} answered with the status 502 and without JSON. Correct --url or GW_URL if that is not a gateway.\n`,
    });
  });

  it('reports a server that stops in the middle of its response', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = askGateway(
      { base, key: undefined, workspace: undefined },
      { request: { method: 'GET', path: '/a' }, silentMs: 50, read: (answer) => answer.text() },
    );
    await expect(asked).rejects.toMatchObject({ message: `${base} did not answer within 0.05 seconds.` });
    server.close();
  });

  it('reports a server that does not answer in time', async () => {
    const { url } = await startApi('never');
    const asked = askGateway(
      { base: url, key: undefined, workspace: undefined },
      { request: { method: 'GET', path: '/a' }, silentMs: 50, read: async () => undefined },
    );
    await expect(asked).rejects.toMatchObject({
      message: `${url} did not answer within 0.05 seconds.`,
      hint: 'Try again, or check its log.',
      exitCode: 1,
    });
  });
});
