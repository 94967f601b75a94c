import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiResources } from '../../../../plugins/control/cli/resources/api-resources.ts';
import { scopes } from '../../../../plugins/control/kernel/requests/scopes.ts';
import { askApi } from './support/api-server.ts';

const files = {
  'support.json': '// The one for people.\n{ "provider": "openai", }',
  'body.json': { name: 'from the file', note: 'kept' },
  'variables.json': { name: 'Ada' },
  'bye.mustache': 'Bye {{name}}',
  'models.json': [{ slug: 'gpt-4o', enabled: true }],
  'no-cities.json': { checks: [] },
  'settings.json': { settings: { other: 1, metadata: { team: 'a' } } },
};

describe('a command', () => {
  it.each([
    ['keys list', 'GET /v1/api-keys', undefined],
    [
      'usage --by key,metadata.team --since 2030-01-31T12:00:00Z --metadata team=a',
      'GET /v1/usage?group_by=key%2Cmetadata.team&from=1896091200&metadata=team%3Da',
      undefined,
    ],
    [
      'usage --by key --by metadata.team --since 2030-01-31T12:00:00Z --since 2030-01-31',
      'GET /v1/usage?group_by=key%2Cmetadata.team&from=1896048000',
      undefined,
    ],
    [
      'keys list --page-size 2 --page 3 --status revoked',
      'GET /v1/api-keys?page_size=2&current_page=3&status=revoked',
      undefined,
    ],
    ['configs list --search 50%', 'GET /v1/configs?search=50%25', undefined],
    ['providers list --search main', 'GET /v1/providers?search=main', undefined],
    ['keys list --search 50%', 'GET /v1/api-keys?search=50%25', undefined],
    ['keys get 1', 'GET /v1/api-keys/1', undefined],
    [
      'keys create --name app --scopes completions.write,prompts.render --expires 2030-01-31T12:00:00+01:00',
      'POST /v1/api-keys',
      { name: 'app', scopes: ['completions.write', 'prompts.render'], expires_at: 1_896_087_600 },
    ],
    ['keys create body.json --name app', 'POST /v1/api-keys', { name: 'app', note: 'kept' }],
    ['keys rotate 1 --transition 2h', 'POST /v1/api-keys/1/rotate', { key_transition_period_ms: 7_200_000 }],
    ['keys revoke 1', 'DELETE /v1/api-keys/1', undefined],
    ['providers list', 'GET /v1/providers', undefined],
    ['providers get main', 'GET /v1/providers/main', undefined],
    [
      'providers create --name Main --provider openai --key-env TEST_PROVIDER_SECRET',
      'POST /v1/providers',
      { name: 'Main', provider: 'openai', key: 'sk-1' },
    ],
    ['providers update main --note new', 'PUT /v1/providers/main', { note: 'new' }],
    ['providers delete main', 'DELETE /v1/providers/main', undefined],
    ['configs list', 'GET /v1/configs', undefined],
    ['configs get a', 'GET /v1/configs/a', undefined],
    ['configs create support.json', 'POST /v1/configs', { name: 'support', config: { provider: 'openai' } }],
    [
      'configs create support.json --name Help --default --dry-run',
      'POST /v1/configs?dry_run=true',
      { name: 'Help', is_default: true, config: { provider: 'openai' } },
    ],
    ['configs update a support.json', 'PUT /v1/configs/a', { config: { provider: 'openai' } }],
    ['configs delete a', 'DELETE /v1/configs/a', undefined],
    ['configs versions a', 'GET /v1/configs/a/versions', undefined],
    ['prompts list', 'GET /v1/prompts', undefined],
    ['prompts get greet@2', 'GET /v1/prompts/greet%402', undefined],
    [
      'prompts create body.json --description first',
      'POST /v1/prompts',
      { name: 'from the file', note: 'kept', version_description: 'first' },
    ],
    [
      'prompts update greet body.json --patch',
      'PUT /v1/prompts/greet',
      { name: 'from the file', note: 'kept', patch: true },
    ],
    ['prompts delete greet', 'DELETE /v1/prompts/greet', undefined],
    ['prompts versions greet', 'GET /v1/prompts/greet/versions', undefined],
    ['prompts publish greet --version 2', 'PUT /v1/prompts/greet/makeDefault', { version: 2 }],
    ['prompts render greet', 'POST /v1/prompts/greet/render', { variables: {} }],
    ['prompts render greet variables.json', 'POST /v1/prompts/greet/render', { variables: { name: 'Ada' } }],
    [
      'prompts render greet variables.json --variable place=Oslo=1 --variable name=Eve --model m2',
      'POST /v1/prompts/greet/render',
      { variables: { name: 'Eve', place: 'Oslo=1' }, model: 'm2' },
    ],
    [
      'prompts run greet@production --variable a=b',
      'POST /v1/prompts/greet%40production/completions',
      { variables: { a: 'b' }, stream: true },
    ],
    [
      'prompts label greet --label production --version 2',
      'PUT /v1/prompts/greet/labels',
      { label: 'production', version: 2 },
    ],
    [
      'prompts label greet --label production --version none',
      'PUT /v1/prompts/greet/labels',
      { label: 'production', version: null },
    ],
    [
      'prompts update greet body.json --collection none',
      'PUT /v1/prompts/greet',
      { name: 'from the file', note: 'kept', collection_id: null },
    ],
    ['prompts partials list', 'GET /v1/prompts/partials', undefined],
    ['prompts partials get bye@latest', 'GET /v1/prompts/partials/bye%40latest', undefined],
    [
      'prompts partials create bye.mustache --slug bye --description first',
      'POST /v1/prompts/partials',
      { name: 'bye', string: 'Bye {{name}}', slug: 'bye', version_description: 'first' },
    ],
    ['prompts partials update bye --name Goodbye', 'PUT /v1/prompts/partials/bye', { name: 'Goodbye' }],
    ['prompts partials update bye bye.mustache', 'PUT /v1/prompts/partials/bye', { string: 'Bye {{name}}' }],
    ['prompts partials delete bye', 'DELETE /v1/prompts/partials/bye', undefined],
    ['prompts partials versions bye', 'GET /v1/prompts/partials/bye/versions', undefined],
    ['prompts partials publish bye --version 2', 'PUT /v1/prompts/partials/bye/makeDefault', { version: 2 }],
    ['prompts labels list --page-size 5', 'GET /v1/labels?page_size=5', undefined],
    ['prompts labels create --name beta --colour #00ff00', 'POST /v1/labels', { name: 'beta', colour: '#00ff00' }],
    ['prompts labels get beta', 'GET /v1/labels/beta', undefined],
    ['prompts labels update beta --description none', 'PUT /v1/labels/beta', { description: null }],
    ['prompts labels delete beta', 'DELETE /v1/labels/beta', undefined],
    ['prompts collections list', 'GET /v1/collections', undefined],
    ['prompts collections create --name Support', 'POST /v1/collections', { name: 'Support' }],
    ['prompts collections get 1', 'GET /v1/collections/1', undefined],
    ['prompts collections update 1 --name Sales', 'PUT /v1/collections/1', { name: 'Sales' }],
    ['prompts collections delete 1', 'DELETE /v1/collections/1', undefined],
    [
      'keys update 1 --scopes configs.list,configs.read --scopes=prompts.render --name a --name b',
      'PUT /v1/api-keys/1',
      { scopes: ['configs.list', 'configs.read', 'prompts.render'], name: 'b' },
    ],
    [
      'keys update 1 --scopes configs.list --expires never',
      'PUT /v1/api-keys/1',
      { scopes: ['configs.list'], expires_at: null },
    ],
    ['keys update 1 body.json --name app', 'PUT /v1/api-keys/1', { name: 'app', note: 'kept' }],
    ['virtual-keys list', 'GET /v1/virtual-keys', undefined],
    ['virtual-keys get vk', 'GET /v1/virtual-keys/vk', undefined],
    [
      'virtual-keys create --name VK --provider openai --key-env TEST_PROVIDER_SECRET',
      'POST /v1/virtual-keys',
      { name: 'VK', provider: 'openai', key: 'sk-1' },
    ],
    ['virtual-keys update vk --expires never', 'PUT /v1/virtual-keys/vk', { expires_at: null }],
    ['virtual-keys delete vk', 'DELETE /v1/virtual-keys/vk', undefined],
    ['integrations list', 'GET /v1/integrations', undefined],
    ['integrations get shared', 'GET /v1/integrations/shared', undefined],
    [
      'integrations create --name Shared --provider openai --workspaces a,b --other-models no',
      'POST /v1/integrations',
      { name: 'Shared', provider: 'openai', workspaces: ['a', 'b'], allow_all_models: false },
    ],
    [
      'integrations update shared --workspaces all --other-models yes',
      'PUT /v1/integrations/shared',
      { workspaces: null, allow_all_models: true },
    ],
    ['integrations delete shared', 'DELETE /v1/integrations/shared', undefined],
    ['integrations models shared', 'GET /v1/integrations/shared/models', undefined],
    [
      'integrations set-models shared models.json',
      'PUT /v1/integrations/shared/models',
      { models: [{ slug: 'gpt-4o', enabled: true }] },
    ],
    ['guardrails list', 'GET /v1/guardrails', undefined],
    ['guardrails get no-cities', 'GET /v1/guardrails/no-cities', undefined],
    [
      'guardrails create no-cities.json --scope organisation',
      'POST /v1/guardrails',
      { name: 'no-cities', scope: 'organisation', checks: [] },
    ],
    ['guardrails update no-cities --name None', 'PUT /v1/guardrails/no-cities', { name: 'None' }],
    ['providers test main', 'POST /v1/providers/main/test', {}],
    ['virtual-keys test vk', 'POST /v1/virtual-keys/vk/test', {}],
    ['guardrails try --guardrail words --text Oslo', 'POST /v1/guardrails/try', { guardrail: 'words', text: 'Oslo' }],
    [
      'guardrails try no-cities.json --text Oslo --as answer',
      'POST /v1/guardrails/try',
      { checks: [], text: 'Oslo', as: 'answer' },
    ],
    ['guardrails delete no-cities', 'DELETE /v1/guardrails/no-cities', undefined],
    ['workspaces list', 'GET /v1/workspaces', undefined],
    ['workspaces get research', 'GET /v1/workspaces/research', undefined],
    [
      'workspaces create --name Research --slug research',
      'POST /v1/workspaces',
      { name: 'Research', slug: 'research' },
    ],
    [
      'workspaces update research settings.json --config none --metadata team=r --metadata floor=2',
      'PUT /v1/workspaces/research',
      { settings: { other: 1, config: null, metadata: { team: 'r', floor: '2' } } },
    ],
    ['workspaces delete research', 'DELETE /v1/workspaces/research', undefined],
    ['organisation get', 'GET /v1/organisation', undefined],
    ['organisation update --name Acme', 'PUT /v1/organisation', { name: 'Acme' }],
  ])('sends one request: gw %s', async (line, request, body) => {
    vi.stubEnv('TEST_PROVIDER_SECRET', 'sk-1');
    const { code, requests } = await askApi(line.split(' '), { files });
    expect(requests).toEqual([{ line: request, key: 'gw-test', workspace: undefined, body }]);
    expect(code).toBe(0);
  });

  it.each([
    ['usage --since 2026-11-16', 'GET /v1/usage?from=1794787200'],
    ['usage --until 2026-11-16', 'GET /v1/usage?to=1794787200'],
    ['logs list --since 2026-11-16', 'GET /v1/logs?time_min=1794787200'],
  ])('takes a date without a time as its start in UTC: gw %s', async (line, request) => {
    const { requests } = await askApi(line.split(' '));
    expect(requests.map((each) => each.line)).toEqual([request]);
  });

  it.each([
    ['usage --until 2h', 'GET /v1/usage?to=1794819600'],
    ['usage arms --until 30m', 'GET /v1/usage/arms?to=1794825000'],
    ['logs export --since 2d --until 1d', 'GET /v1/logs/export?time_min=1794654000&time_max=1794740400'],
  ])('accepts a time as how long ago it was: gw %s', async (line, request) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-16T11:00:00Z'));
    onTestFinished(() => void vi.restoreAllMocks());
    const { requests } = await askApi(line.split(' '));
    expect(requests.map((each) => each.line)).toEqual([request]);
  });

  it.each(['order-4711', '4bf92f3577b34da6a3ce929d0e0e4736', '0198c0de-0000-7000-8000-000000000001'])(
    'takes the id of a request or trace as gw logs get does: gw logs %s',
    async (id) => {
      const { requests } = await askApi(['logs', id]);
      expect(requests.map(({ line }) => line)).toEqual([`GET /v1/logs/${id}`]);
    },
  );

  it('requests only the prompts of the collection that --collection names', async () => {
    const { requests } = await askApi(['prompts', 'list', '--collection', '1']);
    expect(requests[0]?.line).toBe('GET /v1/prompts?collection_id=1');
  });

  it('sends the config of a prompt that is run as a header', async () => {
    const { requests } = await askApi(['prompts', 'run', 'greet', '--config', 'app']);
    expect(requests).toMatchObject([{ config: 'app', body: { variables: {}, stream: true } }]);
  });

  it('sends an argument as one segment of the path', async () => {
    const { requests } = await askApi(['configs', 'get', 'a?c#d']);
    expect(requests.map(({ line }) => line)).toEqual(['GET /v1/configs/a%3Fc%23d']);
  });

  it.each([
    ['..', '".." is not a valid slug. Write one that the command "list" prints.'],
    ['.', '"." is not a valid slug. Write one that the command "list" prints.'],
    ['../../x', '"../../x" is not a valid slug. Write one that the command "list" prints.'],
    ['a/b', '"a/b" is not a valid slug. Write one that the command "list" prints.'],
    ['', 'gw configs delete takes no empty argument. See gw configs delete --help.'],
  ])('refuses an argument that would change the path: "%s"', async (slug, refusal) => {
    const { code, err, requests } = await askApi(['configs', 'delete', slug]);
    expect(err).toBe(`gw: ${refusal}\n`);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it.each([
    [
      'keys create --name a --expires tomorrow',
      'gw: The flag --expires is not a time. Write it as RFC 3339 does: --expires 2030-01-31T12:00:00Z, or only the day for its start in UTC: --expires 2030-01-31.',
    ],
    [
      'keys create --name a --expires 2030-99-99T12:00:00Z',
      'gw: The flag --expires is not a time. Write it as RFC 3339 does: --expires 2030-01-31T12:00:00Z, or only the day for its start in UTC: --expires 2030-01-31.',
    ],
    [
      'keys create --name a --expires 2030-02-30T12:00:00Z',
      'gw: The flag --expires is not a time. Write it as RFC 3339 does: --expires 2030-01-31T12:00:00Z, or only the day for its start in UTC: --expires 2030-01-31.',
    ],
    [
      'usage --since yesterday',
      'gw: The flag --since is not a time. Write it as RFC 3339 does: --since 2030-01-31T12:00:00Z, or only the day for its start in UTC: --since 2030-01-31, or how long ago it was: --since 2h.',
    ],
    [
      'usage --since 2030-02-30T12:00:00Z',
      'gw: The flag --since is not a time. Write it as RFC 3339 does: --since 2030-01-31T12:00:00Z, or only the day for its start in UTC: --since 2030-01-31, or how long ago it was: --since 2h.',
    ],
    [
      'keys rotate 1 --transition 2',
      'gw: The flag --transition is not a duration. Write minutes, hours or days: --transition 30m, 2h or 7d.',
    ],
    ['logs list --status abc', 'gw: The flag --status is not an integer. Write --status 429, for example.'],
    ['keys list --page-size few', 'gw: The flag --page-size is not an integer. Write --page-size 1, for example.'],
    [
      'prompts render greet --variable name',
      'gw: The flag --variable must be a name and a text. Write --variable NAME=TEXT.',
    ],
    ['integrations update a --other-models maybe', 'gw: The flag --other-models cannot be "maybe". Use yes or no.'],
    ['prompts partial list', 'gw: There is no command "gw prompts partial". Did you mean gw prompts partials?'],
    ['prompts labels', 'gw: gw prompts labels requires a command. See gw prompts labels --help.'],
    [
      'prompts labels creat',
      'gw: There is no command "gw prompts labels creat". Did you mean gw prompts labels create?',
    ],
    ['virtual-key list', 'gw: There is no command "virtual-key". Did you mean gw virtual-keys?'],
    [
      'organisation update',
      'gw: gw organisation update needs a flag or a file with what to change. See gw organisation update --help.',
    ],
    [
      'keys list --status gone',
      'gw: The flag --status cannot be "gone". Use active or exhausted or expired or revoked.',
    ],
    [
      'providers create --name a --key-env sk-secret',
      'gw: The variable that --key-env names is not set. The flag takes the name of an environment variable, not the secret itself.',
    ],
    [
      'providers create --name a --key-env TEST_NO_SUCH_KEY',
      'gw: The variable TEST_NO_SUCH_KEY that --key-env names is not set. Set it: export TEST_NO_SUCH_KEY=…',
    ],
    [
      'providers create --name a --key-env AKIAIOSFODNN7EXAMPLE',
      'gw: The variable that --key-env names is not set. The flag takes the name of an environment variable, not the secret itself.',
    ],
    ['usage --since 2030-02-30', /^gw: The flag --since is not a time\. /],
    [
      'prompts create list.json',
      'gw: list.json is not a JSON object. Write the members of the request into it, such as { "name": "…" }.',
    ],
    ['configs create missing.json', /^gw: There is no file "missing\.json"\. Paths start at /],
    ['configs create', 'gw: gw configs create requires FILE. See gw configs create --help.'],
    ['configs update a', 'gw: gw configs update requires SLUG FILE. See gw configs update --help.'],
    ['configs creat', 'gw: There is no command "gw configs creat". Did you mean gw configs create?'],
    ['keys rotate-mster', 'gw: There is no command "gw keys rotate-mster". Did you mean gw keys rotate-master?'],
    ['prompts frobnicate', 'gw: There is no command "gw prompts frobnicate". See gw prompts --help.'],
    ['logs show', 'gw: There is no command "gw logs show". Did you mean gw logs get?'],
    ['logs show 1', 'gw: There is no command "gw logs show". Did you mean gw logs get?'],
    ['logs frobnicate', 'gw: There is no command "gw logs frobnicate". See gw logs --help.'],
    ['keys', 'gw: gw keys requires a command. See gw keys --help.'],
    ['keys list --pag 1', 'gw: gw keys list has no flag --pag. Did you mean --page?'],
  ])('reports wrong input without sending a request: gw %s', async (line, message) => {
    const { code, err, requests } = await askApi(line.split(' '), { files: { 'list.json': '[]' } });
    if (typeof message === 'string') expect(err).toBe(`${message}\n`);
    else expect(err).toMatch(message);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it.each(apiResources.flatMap(({ name, parts = {} }) => [name, ...Object.values(parts).map((part) => part.name)]))(
    'is listed in gw %s --help and has help of its own',
    async (name) => {
      const words = name.split(' ');
      const { code, out } = await askApi([...words, '--help']);
      expect(code).toBe(0);
      const commands = [...out.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, command = '']) => command);
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) {
        const help = await askApi([...words, command, '--help']);
        expect(help).toMatchObject({ code: 0, err: '', requests: [] });
        expect(help.out).toMatch(new RegExp(`^Usage: gw ${name} ${command} `));
      }
    },
  );

  it('that creates keys lists all scopes in its help', async () => {
    const { out } = await askApi(['keys', 'create', '--help']);
    for (const scope of scopes) expect(out).toMatch(new RegExp(`\\b${scope}\\b`));
  });

  it('is listed in gw --help and has help of its own', async () => {
    const { out } = await askApi(['--help']);
    const commands = [...out.matchAll(/^ {2}([a-z][a-z-]+) {2}/gm)].map(([, command = '']) => command);
    expect(commands).toContain('virtual-keys');
    for (const command of commands)
      expect((await askApi([command, '--help'])).out).toMatch(new RegExp(`^Usage: gw ${command} `));
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(100);
  });
});
