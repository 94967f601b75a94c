import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileLine, readLines } from '../../../compiler/cli/replay/read-lines.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { runCommand } from '../../support/commands/run-command.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const target = (name: string, more: object = {}): object => ({
  name,
  provider: 'openai',
  api_key: '${env:KEY}',
  override_params: { model: name },
  ...more,
});

const line = (more: object = {}): object => ({
  ...{ seed: 1, plan: 'old@0123456789ab', route: 'POST /v1/chat/completions', status: 200, trace: 't1' },
  trail: [{ kind: 'attempted', path: '/targets/0', target: 'a', attempt: 1, status: 200, origin: 'upstream' }],
  ...more,
});

const replay = async (config: object, lines: readonly (object | string)[], ...argv: readonly string[]) => {
  const log = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  const cwd = temporaryFolder({ 'new.json': config, 'requests.log': log });
  return runGw(cwd, ['replay', '--log', 'requests.log', '--on', 'new.json', ...argv]);
};

const byTier = (then: string, other: string): object => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $eq: 'gold' } }, then }],
    default: other,
  },
  targets: [target('a'), target('b')],
});

describe('gw replay', () => {
  it('reports unreadable lines with their numbers, and continues', async () => {
    const { code, out, err } = await replay(target('b'), [line(), line({ seed: 'x' }), line({ metadata: 1 }), line()]);
    expect(code).toBe(0);
    expect(err).toBe(
      'gw: In line 2, seed must be a whole number of at least 0.\ngw: In line 3, metadata must be an object.\n',
    );
    expect(out).toContain('2 requests of the log on new.json:');
    expect(out).toContain('\n2 requests were skipped, which could not be read.\n');
  });

  it('prints no control characters from a log', async () => {
    const trail = [{ kind: 'attempted', path: '', target: 'a\u001b[31m', attempt: 1, status: 200, origin: 'upstream' }];
    const lines = [line({ trail, trace: '\u0000' }), line({ path: 'x', headers: { '\u001b[2J': 1 } })];
    const { out, err } = await replay(target('b'), lines, '--all');
    expect(err).toContain('In line 2, headers. [2J must be a text.');
    expect(out).toContain('line 1 ( ): elsewhere: a [31m 200 → b 200');
    expect(out.replaceAll('\n', '') + err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('reports twenty unreadable lines, and counts the rest', async () => {
    const lines = Array.from({ length: 23 }, () => line({ seed: -1 }));
    const { out, err } = await replay(target('b'), [line(), ...lines], '--format', 'json');
    expect(err.split('\n').slice(-3)).toEqual([
      'gw: In line 21, seed must be a whole number of at least 0.',
      'gw: 3 more lines cannot be read.',
      '',
    ]);
    expect(JSON.parse(out)).toMatchObject({ requests: 1, unreadable: 23 });
  });

  it('fails if no line of the log can be read', async () => {
    const { code, err } = await replay(target('b'), [line({ seed: 'x' })]);
    expect(code).toBe(2);
    expect(err).toContain('requests.log has no request of a log that can be read.');
    expect(err).not.toContain('gw explain');
  });

  it.each([
    ['is deeply nested', `${'['.repeat(1e5)}${']'.repeat(1e5)}`],
    ['consists of NUL characters', '\0\0\0'],
    ['is longer than any line that a gateway writes', JSON.stringify(line({ x: 'y'.repeat(5e6) }))],
  ])('does not count a line that %s as a request', async (_, text) => {
    const { code, out, err } = await replay(target('b'), [line(), text, line()]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('1 line is no request');
  });

  it('counts requests by where they would have gone, and omits copies and lines without requests', async () => {
    const { code, out, err } = await replay({ strategy: { mode: 'fallback' }, targets: [target('b'), target('a')] }, [
      line(),
      line(),
      'The gateway listens.',
      { a: 1 },
      line({ mirrorOf: { trace: 't', path: '' } }),
      line({ metadata: { _mirror: '/' } }),
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`2 requests of the log on new.json:
  unchanged  0
  elsewhere  2
  refused    0
  undecided  0

Before → after
  2  a 200 → b 200

2 lines are no request, and 2 are copies of a mirror.
`);
  });

  it('prints each request with --all, as text or JSON, and decides by the metadata of a line', async () => {
    const lines = [line({ metadata: { tier: 'gold' } }), line({ metadata: {} }), line()];
    const { out } = await replay(byTier('b', 'a'), lines, '--all');
    expect(out.split('\n').slice(0, 4)).toEqual([
      'line 1 (t1): elsewhere: a 200 → b 200',
      'line 2 (t1): unchanged: a 200',
      'line 3 (t1): undecided: a 200; the log lacks metadata.tier',
      '',
    ]);
    const json = (await replay(byTier('b', 'a'), lines, '--all', '--format', 'json')).out
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(json.map(({ kind }) => kind)).toEqual(['elsewhere', 'unchanged', 'undecided', undefined]);
    expect(json.at(-1)).toMatchObject({ requests: 3, lacks: [{ fact: 'metadata.tier', requests: 1 }] });
  });

  it('uses the model and stream flag of a line', async () => {
    const byBody = (query: object): object => ({
      strategy: { mode: 'conditional', conditions: [{ query, then: 'b' }], default: 'a' },
      targets: [target('a'), target('b')],
    });
    const lines = [line({ stream: true, requested_model: 'large' }), line()];
    expect((await replay(byBody({ 'params.stream': { $eq: true } }), lines)).out).toContain(
      'unchanged  1\n  elsewhere  1\n',
    );
    expect((await replay(byBody({ 'params.model': { $eq: 'large' } }), lines)).out).toMatch(
      /elsewhere {2}1\n.*\n {2}undecided {2}1\n/,
    );
  });

  it('counts a request as refused if it no longer reaches any target', async () => {
    const unable = target('a', { provider: 'anthropic' });
    const { out } = await replay(unable, [line({ route: 'POST /v1/embeddings' })]);
    expect(out).toContain('refused    1\n');
    expect(out).toContain('a 200 → 501 of the gateway\n');
  });

  it.each<[string, readonly string[], string]>([
    ['a command without a log', ['--on', 'new.json'], 'gw replay requires --log.'],
    ['a command without a config', ['--log', 'requests.log'], 'gw replay requires --on.'],
    ['a missing log', ['--log', 'none.log', '--on', 'new.json'], 'There is no file "none.log".'],
    ['a folder as the log', ['--log', '.', '--on', 'new.json'], '"." is a folder.'],
    ['a folder as the config', ['--log', 'requests.log', '--on', '.'], '"." is a folder.'],
    ['a log without requests', ['--log', 'new.json', '--on', 'new.json'], 'new.json has no request of a log.'],
  ])('rejects %s', async (_, argv, message) => {
    const cwd = temporaryFolder({ 'new.json': target('a'), 'requests.log': JSON.stringify(line()) });
    const { code, out, err } = await runGw(cwd, ['replay', ...argv]);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it('reports that the standard input has no request', async () => {
    const cwd = temporaryFolder({ 'new.json': target('a') });
    const { status, stderr } = await runCommand(
      [process.execPath, path.join(root, 'gw.js'), 'replay', '--log', '-', '--on', 'new.json'],
      { cwd },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^gw: The standard input has no request of a log\. Name /);
  });

  it('exits with 1 if the config has errors', async () => {
    const { code, out } = await replay({ provider: 'opnai' }, [line()]);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('error[unknown-provider]') });
  });
});

describe('the lines of a log', () => {
  const read = async (chunks: readonly string[]) => {
    const bytes = (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })();
    const lines: FileLine[] = [];
    for await (const each of readLines(bytes)) lines.push(each);
    return lines;
  };

  it('are assembled from chunks, and the last one may lack a line break', async () => {
    expect(await read(['{"a', '":1}\n\n{', '}'])).toEqual([
      { number: 1, text: '{"a":1}' },
      { number: 2, text: '' },
      { number: 3, text: '{}' },
    ]);
    expect(await read(['x\n'])).toEqual([{ number: 1, text: 'x' }]);
  });

  it('are not buffered if they are too long', async () => {
    const part = 'x'.repeat(1024 * 1024);
    expect(await read([...Array.from({ length: 5 }, () => part), '\n', 'y\n'])).toEqual([
      { number: 1 },
      { number: 2, text: 'y' },
    ]);
  });
});
