import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const target = (name: string, more: object = {}): object => ({
  name,
  provider: 'openai',
  api_key: '${env:KEY}',
  override_params: { model: name },
  ...more,
});
const balance = (...targets: readonly object[]): object => ({ strategy: { mode: 'loadbalance' }, targets });
const fallback = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });

const byTier = (gold: object, others: object): object => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then: 'gold' }],
    default: 'others',
  },
  targets: [
    { ...gold, name: 'gold' },
    { ...others, name: 'others' },
  ],
});

const diffIn = (cwd: string, ...argv: readonly string[]) => runGw(cwd, ['diff', ...argv]);

const compared = async (before: object, after: object, ...argv: readonly string[]) =>
  diffIn(
    temporaryFolder({ 'old.json': { ...before, name: 'old' }, 'new.json': { ...after, name: 'new' } }),
    'old.json',
    'new.json',
    ...argv,
  );

const git = (cwd: string, ...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.email=a@example.com', '-c', 'user.name=A', ...args], { cwd, stdio: 'ignore' });
};

/** Creates a repository with these files in its first revision, which has the tag `v1`. */
const repository = (
  files: Readonly<Record<string, object | string>>,
  whenFinished?: (remove: () => void) => void,
): string => {
  const cwd = temporaryFolder(files, whenFinished);
  git(cwd, 'init', '-b', 'main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-m', 'First.');
  git(cwd, 'tag', 'v1');
  return cwd;
};

describe('gw diff', () => {
  it('reports no change if only names, places and the structure of a config change, and exits with 0', async () => {
    const before = byTier(fallback(target('a'), fallback(target('b'), target('c'))), {
      targets: [target('d')],
      strategy: { mode: 'loadbalance' },
    });
    const after = byTier(
      fallback(fallback(target('a'), target('b')), target('renamed', { override_params: { model: 'c' } })),
      target('d'),
    );
    expect(await compared(before, after)).toEqual({ code: 0, out: 'new: no change in behaviour.\n', err: '' });
    expect((await compared(before, after, '--format', 'markdown')).out).toBe('new: no change in behaviour.\n');
  });

  it('shows which requests go where, with the condition in words, and exits with 1', async () => {
    const { code, out } = await compared(
      byTier(fallback(target('a'), target('b')), target('c')),
      byTier(fallback(target('b'), target('a')), balance(target('c', { weight: 9 }), target('b', { weight: 1 }))),
    );
    expect(code).toBe(1);
    expect(out).toBe(`new: behaviour changes for 2 kinds of requests.

Requests where metadata.tier is "gold"
  before   a
             on anything but 2xx: b
  after    b
             on anything but 2xx: a
  such as  {"metadata":{"tier":"gold"}}

Requests where metadata.tier is not "gold"
  before   c
  after    c 90 %, b 10 %
`);
  });

  it.each<[string, object, object, readonly string[]]>([
    ['retries', { retry: { attempts: 1 } }, { retry: { attempts: 3 } }, ['up to 1 retry', 'up to 3 retries']],
    ['a time-out', {}, { request_timeout: 5000 }, ['a time-out of 10 min', 'a time-out of 5 s']],
    ['a cache', {}, { cache: { mode: 'simple', max_age: 60 } }, ['no cache', 'cache: simple, for 60 s']],
    [
      'a breaker',
      {},
      { cb_config: { failure_threshold: 3, cooldown_interval: 60000 } },
      ['no breaker', 'breaker: opens'],
    ],
    ['strictness', {}, { strict_llmv_compliance: false }, ['strict true', 'strict false']],
    [
      'guardrails',
      {},
      { output_guardrails: [{ 'default.contains': { words: ['x'], operator: 'any' }, deny: true }] },
      ['no output checks', 'denies if it fails'],
    ],
  ])('names a setting of a target that changes: %s', async (_, before, after, texts) => {
    const { code, out } = await compared(target('a', before), target('a', after));
    expect(code).toBe(1);
    for (const text of texts) expect(out).toContain(text);
  });

  it.each<[string, object, object]>([
    ['a model', {}, { override_params: { model: 'z' } }],
    ['a parameter', {}, { override_params: { model: 'a', temperature: 0 } }],
    ['a credential', {}, { api_key: '${env:OTHER}' }],
    ['a host', {}, { custom_host: 'https://example.com/v1' }],
    ['a provider', {}, { provider: 'groq' }],
    ['a header', {}, { forward_headers: ['x-team'] }],
    ['a key pool', {}, { api_key: undefined, keys: [{ api_key: '${env:KEY}' }, { api_key: '${env:OTHER}' }] }],
  ])('treats calls as different if they differ in %s', async (_, before, after) => {
    const { code, out } = await compared(target('a', before), target('a', after));
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('All requests') });
    const [old, now] = ['before', 'after'].map((side) => new RegExp(`^  ${side} +(.+)$`, 'm').exec(out)?.[1]);
    expect(old).not.toBe(now);
  });

  it('names other changed settings too if a call is replaced by another one', async () => {
    const denying = { output_guardrails: [{ 'default.contains': { words: ['x'], operator: 'any' }, deny: true }] };
    const other = { override_params: { model: 'a', temperature: 0 } };
    const retry = { retry: { attempts: 1 } };
    const { out } = await compared(
      fallback(target('a', { ...denying, ...retry }), target('b')),
      fallback(target('a', { ...other, ...retry }), target('b')),
    );
    expect(out).toBe(`new: behaviour changes for 1 kind of requests.

All requests
  before   a (openai, a)
             on anything but 2xx: b
           a (openai, a): output checks: output_guardrail_1 (default.contains) denies if it fails
  after    a (openai, a, temperature 0)
             on anything but 2xx: b
           a (openai, a, temperature 0): no output checks
`);
    const same = await compared(target('a', denying), target('a', { ...denying, ...other }));
    expect(same.out).not.toContain('checks');
    const added = await compared(target('a'), fallback(target('a'), target('b', denying)));
    expect(added.out).not.toContain('checks');
  });

  it('reports a difference that occurs only while a circuit is open', async () => {
    const breaker = { cb_config: { failure_threshold: 3, cooldown_interval: 60000 } };
    const { code, out } = await compared(
      balance(target('a', { weight: 2 }), { ...balance(target('b', breaker), target('c')), weight: 2 }),
      balance(target('a', { weight: 2 }), target('b', { ...breaker, weight: 1 }), target('c', { weight: 1 })),
    );
    expect(code).toBe(1);
    expect(out).toContain('All requests, while the circuit of b is open\n');
    expect(out).toContain('before   a 50 %, c 50 %\n');
    expect(out).toContain('after    a 2/3, c 1/3\n');
  });

  it('names the weights of the branches that are left while a circuit is open', async () => {
    const breaker = { cb_config: { failure_threshold: 3, cooldown_interval: 60000 } };
    const kept = {
      strategy: { mode: 'loadbalance', sticky: { by: 'metadata.session', ttl_s: 300 } },
      targets: [target('b', { ...breaker, weight: 1 }), target('d', { weight: 5 }), target('e', { weight: 7 })],
    };
    const { out } = await compared(
      fallback(balance(target('a', { weight: 2 }), { ...balance(target('b', breaker), target('c')), weight: 2 }), kept),
      fallback(
        balance(target('a', { weight: 2 }), target('b', { ...breaker, weight: 1 }), target('c', { weight: 1 })),
        kept,
      ),
    );
    expect(out).toContain('one of d (weight 5) or e (weight 7), kept by metadata.session for 300 s\n');
  });

  it('shows deadlines, bounds, hosts and credentials of the whole config', async () => {
    const { out } = await compared(
      { ...target('a'), deadline_ms: 5000 },
      {
        ...fallback(target('a'), {
          name: 'g',
          provider: 'groq',
          api_key: '${env:GROQ}',
          override_params: { model: 'l' },
        }),
        deadline_ms: 7000,
      },
    );
    expect(out).toContain('calls at most  1 → 2\n');
    expect(out).toContain('deadline       5 s → 7 s\n');
    expect(out).toContain('hosts          none of its own → api.groq.com:443\n');
    expect(out).toContain('credentials    none of its own → ${env:GROQ}\n');
  });

  it('prints one JSON document with exact probabilities, waits and bounds', async () => {
    const { out } = await compared(
      target('a'),
      balance(target('a', { weight: 1, retry: { attempts: 2 } }), target('b', { weight: 2 })),
      '--format',
      'json',
    );
    const { same, configs } = JSON.parse(out);
    expect(same).toBe(false);
    const [{ kind, changes, undecided }] = configs;
    expect({ kind, undecided }).toEqual({ kind: 'changed', undecided: [] });
    const [{ after }] = changes;
    expect(after.states[0].steps).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ call: 'a', probability: '1/3', calls: 3 },
          waits: [
            { from: 500, to: 1000 },
            { from: 1000, to: 2000 },
          ],
        }),
        expect.objectContaining({ call: 'b', probability: '2/3', calls: 1, waits: [] }),
      ]),
    );
  });

  it('escapes the texts of a config in Markdown', async () => {
    const nasty = '@team <b>|`x`*\n# [a](b)';
    const config = (one: string, other: string): object => ({
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': { $eq: nasty } }, then: one }],
        default: other,
      },
      targets: [target('a'), target('b')],
    });
    const { out } = await compared(config('a', 'b'), config('b', 'a'), '--format', 'markdown');
    expect(out).not.toMatch(/@team|<b>|(?<!\\)`|(?<!\\)\[/);
    expect(
      out
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((line) => line.split(' | ').length),
    ).toEqual([3, 3, 3, 3]);
  });

  it('compares the configs of two folders by name', async () => {
    const cwd = temporaryFolder({
      'old/a.json': target('a'),
      'old/sub/b.json': target('b'),
      'old/gone.json': { ...target('c'), name: 'gone' },
      'new/renamed.json': { ...target('a'), name: 'a' },
      'new/sub/b.json': target('b', { request_timeout: 1 }),
      'new/added.json': { ...target('c'), name: 'added' },
    });
    const { code, out } = await diffIn(cwd, 'old', 'new');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^a: no change in behaviour\.\n\nadded: is new \(new\/added\.json\)\.\n\ngone: is gone \(old\/gone\.json\)\.\n\nsub\/b: behaviour changes/,
    );
  });

  it('reports what it has not compared if there are too many circuits or conditions', async () => {
    const breaker = { cb_config: { failure_threshold: 3, cooldown_interval: 60000 } };
    const many = Array.from({ length: 12 }, (_, index) => target(`t${index}`, { ...breaker, weight: 1 }));
    const grouped = (size: number): object =>
      balance(
        ...Array.from({ length: 12 / size }, (_, group) => ({
          ...balance(...many.slice(group * size, (group + 1) * size)),
          weight: 1,
        })),
      );
    const { code, out } = await compared(grouped(6), grouped(4));
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('There are too many circuits') });

    const query = (index: number): object => ({ query: { [`metadata.m${index}`]: { $eq: 'x' } }, then: 'a' });
    // They divide requests into 2,048 kinds, of which only 1,000 are compared.
    const wide = (then: string): object =>
      fallback(
        ...Array.from({ length: 11 }, (_, index) => ({
          strategy: { mode: 'conditional', conditions: [{ ...query(index), then: `a${index}` }], default: `b${index}` },
          targets: [target(`a${index}`), target(`b${index}`, index === 10 ? { override_params: { model: then } } : {})],
        })),
      );
    const found = await compared(wide('x'), wide('y'));
    expect({ code: found.code, out: found.out }).toEqual({
      code: 1,
      out: expect.stringContaining('into too many kinds'),
    });
    expect((await compared(wide('x'), wide('x'))).code).toBe(0);
  });

  it('exits with 2 if a config has errors', async () => {
    const { code, out, err } = await compared(target('a'), { provider: 'opnai' });
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining('error[unknown-provider]') });
    const json = await compared(target('a'), { provider: 'opnai' }, '--format', 'json');
    expect({ code: json.code, errors: JSON.parse(json.out).errors }).toEqual({ code: 2, errors: 1 });
  });
});

describe('gw diff with revisions of git', () => {
  let committed: string;
  const ends: (() => void)[] = [];
  beforeAll(() => {
    committed = repository({ 'chat.json': target('a') }, (remove) => void ends.push(remove));
  });
  afterAll(() => {
    for (const end of ends) end();
  });

  it('reads files and folders of a revision, with the gateway file of that revision', async () => {
    const cwd = repository({
      'gateway.json': { providers: { main: { provider: 'openai', credential: { api_key: '${env:OLD}' } } } },
      'configs/chat.json': { provider: '@main', override_params: { model: 'm' } },
    });
    expect(await diffIn(cwd, '--rev', 'v1', 'configs')).toMatchObject({
      code: 0,
      out: 'chat: no change in behaviour.\n',
    });
    writeFileSync(
      path.join(cwd, 'gateway.json'),
      JSON.stringify({ providers: { main: { provider: 'openai', credential: { api_key: '${env:NEW}' } } } }),
    );
    const { code, out } = await diffIn(cwd, 'main:configs/chat.json', 'configs/chat.json');
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('credentials  ${env:OLD} → ${env:NEW}') });
  });

  it('resolves paths from the repository root, and from the folder if they start with ./ or with --rev', async () => {
    const cwd = repository({ 'configs/deep/chat.json': target('a') });
    const folder = path.join(cwd, 'configs');
    for (const old of ['v1:configs/deep/chat.json', 'v1:./deep/chat.json', 'HEAD:configs/deep/chat.json'])
      expect(await diffIn(folder, old, 'deep/chat.json')).toMatchObject({ code: 0, err: '' });
    expect(await diffIn(folder, '--rev', 'v1', 'deep')).toMatchObject({ code: 0, err: '' });
    expect(await diffIn(folder, 'v1:configs', '.')).toMatchObject({ code: 0, err: '' });
  });

  it('compares two revisions even if the working tree does not have the file', async () => {
    const cwd = repository({ 'chat.json': target('a') });
    writeFileSync(path.join(cwd, 'chat.json'), JSON.stringify(target('b')));
    git(cwd, 'commit', '-am', 'Second.');
    rmSync(path.join(cwd, 'chat.json'));
    expect((await diffIn(cwd, 'v1:chat.json', 'main:chat.json')).out).toContain(
      'All requests\n  before   a\n  after    b\n',
    );
  });

  it.each<[string, readonly string[], string]>([
    ['an unknown revision', ['mian:chat.json', 'chat.json'], 'The repository has no revision "mian".'],
    ['an unknown path', ['main:chta.json', 'chat.json'], 'The revision main has no file or folder "chta.json".'],
    ['an option in place of a path', ['--upload-pack=x:chat.json', 'chat.json'], 'gw diff has no flag'],
    ['an option as a revision', ['--rev', 'x --help', 'chat.json'], '"x --help" cannot be a revision of git.'],
    [
      'a path outside the repository',
      ['main:../../etc/passwd', 'chat.json'],
      'The revision main has no file or folder "../../etc/passwd".',
    ],
    ['three arguments', ['--rev', 'main', 'a', 'b'], 'With --rev, gw diff takes one path.'],
    ['one argument', ['chat.json'], 'gw diff requires OLD and NEW'],
    ['a file compared with a folder', ['main:chat.json', '.'], 'One of the two is a folder'],
    ['a name that does not exist', ['no such.json', 'chat.json'], 'There is no file or folder "no such.json".'],
  ])('rejects %s', async (_, argv, message) => {
    const { code, out, err } = await diffIn(committed, ...argv);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('reports that a folder is not in a repository, or that git is not installed', async () => {
    const cwd = temporaryFolder({ 'chat.json': target('a') });
    mkdirSync(path.join(cwd, 'empty'));
    const { PATH } = process.env;
    const outside = await diffIn(cwd, 'main:chat.json', 'chat.json');
    expect(outside).toMatchObject({ code: 2, err: expect.stringContaining('is not in a git repository') });
    process.env.PATH = path.join(cwd, 'empty');
    try {
      const { code, err } = await diffIn(cwd, 'main:chat.json', 'chat.json');
      expect({ code, err }).toEqual({
        code: 2,
        err: 'gw: The program git was not found. Install git, or name files instead of revisions.\n',
      });
    } finally {
      process.env.PATH = PATH;
    }
  });

  it.each([
    [['a.json', 'a.json', '--format', 'json'], { 'a.json': '' }, '"severity": "error"'],
    [['1', 'gateway.yaml'], { 'gateway.yaml': '{"provider":"echo"}' }, 'error['],
  ])('exits with 2 and prints the findings if a compared file has errors: %j', async (argv, files, finding) => {
    const { code, out, err } = await runGw(temporaryFolder(files), ['diff', ...argv]);
    expect(code).toBe(2);
    expect(`${out}${err}`).toContain(finding);
  });
});
