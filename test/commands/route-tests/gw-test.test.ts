import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { root } from '../../../tools/build/package-modules.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { patience } from '../../support/run/patience.ts';
import { failuresIn, shop, shopFolder, testReport, yamlTests } from './files.ts';

const gold = 'given: { metadata: { tier: gold } }';

/** Passing tests, and what each of them demonstrates. */
const good: readonly (readonly [what: string, test: string])[] = [
  [
    'a retry, its delay, a fallback and response headers',
    `- name: a\n  ${gold}\n  when: { gpt: [{ status: 429, headers: { retry-after: "2" } }] }\n  expect:\n    calls: [gpt, gpt, gpt, claude]\n    status: 200\n    waits_ms: [2000, 2000]\n    headers: { X-GW-Provider: anthropic, x-gw-last-used-option-index: "config.targets[0].targets[1]" }`,
  ],
  [
    'successive replies',
    `- name: a\n  ${gold}\n  when: { gpt: [{ status: 503 }, { content: Done. }] }\n  expect: { calls: [gpt, gpt], content: Done. }`,
  ],
  [
    'a time-out, on a virtual clock',
    `- name: a\n  ${gold}\n  when: { gpt: [{ after_ms: 86400000 }] }\n  expect: { calls: [gpt, claude], status: 200, within_ms: 5000 }`,
  ],
  [
    'a target that cannot be reached',
    `- name: a\n  ${gold}\n  when: { gpt: [{ error: refused }] }\n  expect: { status: 200, calls: [gpt, gpt, gpt, claude] }`,
  ],
  [
    'a circuit that earlier requests open, and that is tried again later',
    `- name: a\n  ${gold}\n  before: [{ repeat: 3, when: { gpt: [{ status: 503 }] } }]\n  expect: { calls: [claude] }\n- name: b\n  given: { metadata: { tier: gold }, after_ms: 30000 }\n  before: [{ repeat: 3, when: { gpt: [{ status: 503 }] } }]\n  expect: { calls: [gpt] }`,
  ],
  [
    'every draw of a load balance',
    '- name: a\n  expect: { one_of: [[east], [west]], shares: { east: 70, west: 30 }, status: 200 }',
  ],
  [
    'a preferred branch, in another dialect',
    '- name: a\n  given: { prefer: [west], operation: messages }\n  expect: { calls: [west], content: \'"type":"message"\' }',
  ],
  [
    'a check that judges the request',
    '- name: a\n  given: { params: { messages: [{ role: user, content: Bye }] } }\n  expect: { denied: greets, status: 446, calls: [] }',
  ],
  [
    'a verdict that the test sets for a guardrail or a check',
    '- name: a\n  checks: { greets: fail }\n  expect: { denied: default.regexMatch, calls: [] }\n- name: b\n  given: { params: { messages: [{ role: user, content: Bye }] } }\n  checks: { default.regexMatch: pass }\n  expect: { calls: [east] }',
  ],
  [
    'a stream that breaks, before or after its first content',
    `- name: a\n  given: { metadata: { tier: gold }, params: { stream: true } }\n  when: { gpt: [{ content: one two three, break_after_words: 2 }] }\n  expect: { calls: [gpt], broken: true, content: two }\n- name: b\n  given: { metadata: { tier: gold }, params: { stream: true } }\n  when: { gpt: [{ break_after_words: 0 }, { status: 400 }] }\n  expect: { calls: [gpt, gpt, claude], broken: false }`,
  ],
  [
    'labels of a key that override those of the request',
    '- name: a\n  given: { metadata: { tier: free }, caller: { user: ada, metadata: { tier: gold } } }\n  expect: { calls: [gpt] }',
  ],
];

describe('gw test', () => {
  it.each(good)('supports %s', async (_what, tests) => {
    const report = await testReport(shopFolder(yamlTests(tests)));
    expect([failuresIn(report), report.errors]).toEqual([[], []]);
    expect(report.tests).toBeGreaterThan(0);
  });

  it.each([
    ['calls: [claude]', 5, 'claude | gpt'],
    ['status: 201', 5, '201 | 200'],
    ['waits_ms: [1]', 5, '1 ms | no waits'],
    ['content: Bye', 5, 'a body with "Bye" | {"id":'],
    ['denied: greets', 5, 'denied by greets | nothing denied it'],
    ['broken: true', 5, 'an answer that breaks off | a whole answer'],
    ['headers: { x-gw-provider: groq }', 5, 'x-gw-provider: groq | x-gw-provider: openai'],
    ['headers: { x-none: a }', 5, 'x-none: a | no such header'],
    ['one_of: [[gpt], [claude]]', 5, 'a draw with claude | no draw gives these calls'],
    ['shares: { claude: 100 }', 5, '100 % at claude | 0 %'],
  ])('reports the expected and actual value of %s with the line', async (expected, line, shown) => {
    const folder = shopFolder(yamlTests(`- name: a\n  ${gold}\n  expect: { ${expected} }`));
    const [failure = '', ...others] = failuresIn(await testReport(folder));
    expect(failure).toContain(`shop.route.yaml:${line} ${shown}`);
    expect(others).toEqual([]);
    expect((await runGw(folder, ['test'])).code).toBe(1);
  });

  it.each([
    [
      '- name: a\n  when: { gtp: [{}] }\n  expect: { status: 200 }',
      'The config has no target "gtp". Did you mean "gpt"?',
    ],
    ['- name: a\n  expect: { calls: [eest] }', 'The config has no target "eest". Did you mean "east"?'],
    [
      '- name: a\n  checks: { greet: fail }\n  expect: { status: 200 }',
      'The config has no check "greet". Did you mean "greets"?',
    ],
    [
      '- name: a\n  given: { operation: chatt }\n  expect: { status: 200 }',
      'No client speaks "chatt". Did you mean "chat"?',
    ],
    [
      '- name: a\n  given: { provider: opnai }\n  expect: { status: 200 }',
      'There is no provider "opnai". Did you mean "openai"?',
    ],
    [
      '- name: a\n  given: { headers: { x-gw-deadline: soon } }\n  expect: { status: 200 }',
      'The header x-gw-deadline is not valid',
    ],
    [
      '- name: a\n  before: [{ repeat: 1000 }, { repeat: 1000 }, { repeat: 1000 }, { repeat: 1000 }, { repeat: 1000 }]\n  expect: { calls: [east] }',
      'At most 5000 can be sent.',
    ],
  ])('explains why a test cannot run: %s', async (test, problem) => {
    expect(failuresIn(await testReport(shopFolder(yamlTests(test)))).join('\n')).toContain(problem);
  });

  it('explains that a check that calls a service needs a verdict from the test', async () => {
    const config = {
      provider: 'openai',
      api_key: '${env:K}',
      input_guardrails: [{ id: 'hook', 'default.webhook': { webhookURL: 'https://checks.example.com' }, deny: true }],
    };
    const tests = {
      tests: [
        { name: 'a', expect: { status: 200 } },
        { name: 'b', checks: { hook: 'fail' }, expect: { denied: 'hook' } },
      ],
    };
    const folder = temporaryFolder({ 'a.json': config, 'a.route.json': tests });
    expect(failuresIn(await testReport(folder))).toEqual([
      expect.stringContaining('If it was a check, give its verdict in "checks".'),
    ]);
  });

  it('lists what no test reaches, including configs that only the gateway file names', async () => {
    const tests = yamlTests(
      `- name: a\n  ${gold}\n  when: { gpt: [{ status: 400 }] }\n  expect: { calls: [gpt, claude] }`,
    );
    const report = await testReport(
      shopFolder(tests, { 'gateway.json': { configs: 'configs' }, 'configs/other.json': { provider: 'echo' } }),
    );
    expect(report.coverage.map(({ config, missing }) => [config, missing.map(({ what }) => what)])).toEqual([
      [
        'configs/shop.json',
        [
          '"east" is called',
          '"west" is called',
          'the conditional goes to "cheap"',
          '"gpt" times out',
          'the circuit of "gpt" opens',
          '"gpt" is retried',
          'the load balance goes to "east"',
          'the load balance goes to "west"',
          'a check denies the request at "east"',
        ],
      ],
      ['configs/other.json', ['"echo" is called']],
    ]);
  });

  it('counts everything that is reached, and fails below --min-coverage', async () => {
    const folder = shopFolder(yamlTests(...good.map(([, test]) => test)));
    const report = await testReport(folder);
    expect([failuresIn(report), report.coverage[0]?.missing, report.percent]).toEqual([[], [], 100]);
    expect((await runGw(folder, ['test', '--min-coverage', '100'])).code).toBe(0);
    const part = await runGw(folder, ['test', '--filter', 'b', '--min-coverage', '99']);
    expect(part.code).toBe(1);
    expect(part.out).toContain('At least 99 % must be reached (--min-coverage).');
  });

  it.each([
    [['test', 'nowhere'], 'There is no file or folder "nowhere".'],
    [['test', 'configs'], 'The folder "configs" contains no route tests.'],
    [['test', '--filter', 'zebra'], 'No test has a name with "zebra".'],
    [['test', '--min-coverage', '101'], 'cannot be more than 100'],
    [['test', '--min-coverage', 'all'], '--min-coverage'],
    [['test', '--format', 'xml'], 'Use human or json or junit.'],
  ])('rejects an invalid command line: %j', async (argv, problem) => {
    const { code, err } = await runGw(shopFolder(yamlTests('- name: a\n  expect: { status: 200 }')), argv);
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('rejects a test without expectations', async () => {
    const { code, out } = await runGw(shopFolder(yamlTests('- name: a\n  expect: {}')), ['test']);
    expect([code, out]).toEqual([1, expect.stringContaining('"expect" must have at least 1 member.')]);
    expect(out).toContain('hint: Add a member.\n');
  });

  it('reports errors in files with their lines, and runs the other files', async () => {
    const folder = shopFolder(yamlTests('- name: a\n  expect: { status: 200 }'), {
      'a.route.yaml': 'config: configs/shop.json\ntests:\n  - name: a\n    expct: { status: 200 }\n',
      'b.route.yml': 'config: configs/shop.json\ntests:\n  - name: [\n',
      'c.route.json': { config: 'configs/none.json', tests: [{ name: 'a', expect: { status: 200 } }] },
    });
    const report = await testReport(folder);
    expect(report.tests).toBe(1);
    expect(
      report.errors.map(({ file, diagnostics: [found] }) => `${file} ${found?.code} ${found?.span.line}`).sort(),
    ).toEqual(['a.route.yaml unknown-key 4', 'b.route.yml syntax-error 3', 'c.route.json unknown-config 2']);
    expect((await runGw(folder, ['test'])).code).toBe(1);
  });

  it.each([
    ['', 'This is not valid YAML: it is empty.'],
    ['---\n', 'The file of route tests must be an object, not null.'],
    ['- name: a\n', 'The file of route tests must be an object, not a list.'],
  ])('explains the structure of a test file if the file %j is not an object', async (text, message) => {
    const { errors } = await testReport(temporaryFolder({ 'a.route.yaml': text }));
    const found = errors.flatMap(({ diagnostics }) => diagnostics);
    expect(found).toMatchObject([{ message, hint: expect.stringContaining('{ "tests": [') }]);
  });

  it('writes valid JUnit XML, whatever names and answers contain', async () => {
    const name = `<a href="x">&'\u0007\ud800]]>`;
    const tests = {
      config: 'configs/shop.json',
      tests: [
        { name, expect: { content: '<"&' } },
        { name: 'b', expect: { status: 200 } },
      ],
    };
    const folder = temporaryFolder({ 'configs/shop.json': shop, 'a.route.json': tests, 'b.route.json': { tests: [] } });
    const { code, out } = await runGw(folder, ['test', '--format', 'junit']);
    expect(code).toBe(1);
    expect(out).toContain('<testsuites name="gw test" tests="3" failures="1" errors="1">');
    expect(out).toContain(
      '<testcase name="&lt;a href=&quot;x&quot;&gt;&amp;&apos;\ufffd\ufffd]]&gt;" classname="configs/shop.json"',
    );
    // After all tags are removed, only escaped text remains.
    expect(out.replaceAll(/<[^<>&]*(?:&[a-z#0-9]+;[^<>&]*)*>/g, '')).not.toMatch(
      /[<>]|&(?!(?:amp|lt|gt|quot|apos|#10);)/,
    );
  });

  it('is the only command that reads test files next to configs', async () => {
    const folder = temporaryFolder({
      'configs/a.json': { provider: 'echo' },
      'configs/a.route.json': { tests: [{ name: 'a', expect: { calls: ['echo'] } }] },
    });
    expect((await runGw(folder, ['check', 'configs'])).out).toBe('1 file, nothing to report.\n');
    expect((await runGw(folder, ['test'])).out).toContain('1 test passed. Coverage: 100 %.');
  });

  it('runs again when a file changes, and keeps running after an error', async () => {
    const folder = shopFolder(yamlTests('- name: a\n  expect: { status: 200 }'));
    const child = spawn(process.execPath, [path.join(root, 'gw.js'), 'test', '--watch'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const shows = (text: string): Promise<void> => vi.waitFor(() => expect(printed).toContain(text), patience);
    await shows('1 test passed.');
    writeFileSync(path.join(folder, 'shop.route.yaml'), yamlTests('- name: a\n  expect: { status: 201 }'));
    await shows('1 test failed, 0 tests passed.');
    writeFileSync(path.join(folder, 'configs/shop.json'), '{ "provider": ');
    await shows('1 error in files, 0 tests passed.');
  });
});
