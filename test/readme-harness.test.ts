import { describe, expect, it } from 'vitest';
import { brokenLinks } from './support/readme/broken-links.ts';
import { commandLines } from './support/readme/command-lines.ts';
import { matchesOutput } from './support/readme/matches-output.ts';
import { readFences } from './support/readme/read-fences.ts';
import { runExamples } from './support/readme/run-examples.ts';

const fence = (info: string, ...lines: readonly string[]): string => [`\`\`\`${info}`, ...lines, '```', ''].join('\n');

describe('the code fences of a text', () => {
  it('are read with their language, file, line and neighbour', () => {
    const text = `# Title\n\n${fence('json a/b.json', '{}')}\nWords.\n\n${fence('sh', 'ls')}\n${fence('text', 'a')}`;
    expect(readFences(text)).toEqual([
      { language: 'json', file: 'a/b.json', text: '{}\n', line: 3, follows: false },
      { language: 'sh', text: 'ls\n', line: 9, follows: false },
      { language: 'text', text: 'a\n', line: 13, follows: true },
    ]);
  });

  it('have commands, which are joined if a line ends with a backslash', () => {
    const text = '# a remark\ncurl $X \\\n  -d 1\n\nnpm ci && npm test\ngw check .\n';
    expect(commandLines({ text, line: 10 })).toEqual([
      { text: 'curl $X   -d 1', line: 12 },
      { text: 'gw check .', line: 16 },
    ]);
  });
});

describe('an output', () => {
  it.each([
    ['all of it', 'all of it\n', true],
    ['a … z', 'a b\nc z', true],
    ['a … z', 'a b c', false],
    ['1.5 (s)', '1x5 (s)', false],
    ['the start', 'the start and more', false],
  ])('shown as %j matches %j: %s', (expected, output, same) => {
    expect(matchesOutput(expected, output)).toBe(same);
  });
});

describe('examples that do not work', () => {
  it('are reported: a failing command, a different output, an unknown name, an answer with an error', async () => {
    const { problems } = await runExamples(
      [
        fence('json configs/bad.json', '{ "provider": "opnai" }'),
        fence('sh', 'gw check configs'),
        fence('sh', 'echo one'),
        fence('text', 'two'),
        fence('ts wrong.mts', "import { nothing } from 'gatewright';", 'export const x: string = nothing;'),
        fence('sh', 'curl $GATEWAY/v1/chat/completions -d nothing'),
      ].join('\n'),
    );
    expect(problems).toHaveLength(4);
    expect(problems[0]).toMatch(/^line 6: gw check configs\nIt ended with 1:[\s\S]*"openai"/);
    expect(problems[1]).toBe('line 13: the output is another:\none\n');
    expect(problems[2]).toMatch(/^line 23: curl[\s\S]*"error"/);
    expect(problems[3]).toMatch(/wrong\.mts\(1,10\): error TS2305/);
  });

  it('share one shell, in which a server serves the following blocks until another one starts', async () => {
    const { problems } = await runExamples(
      [
        fence('sh', 'export WORD=livez', 'gw serve --port 8787'),
        fence('sh', 'curl http://127.0.0.1:8787/$WORD'),
        fence('text', 'alive'),
        fence('sh', 'npx gw serve --port 8787'),
        fence('sh', 'curl http://127.0.0.1:8787/$WORD'),
        fence('text', 'dead'),
      ].join('\n'),
    );
    expect(problems).toEqual(['line 22: the output is another:\nalive\n']);
  });

  it('do not include examples that work', async () => {
    const text = [
      fence('json configs/good.json', '{ "provider": "echo" }'),
      fence('sh', 'gw check configs && echo "It is good."'),
      fence('text', '…', 'It is good.'),
      fence('ts right.mts', "import { answers } from 'gatewright/testing';", 'process.stdout.write(typeof answers);'),
      fence('sh', 'export X=node', '$X right.mts'),
      fence('text', 'function'),
    ].join('\n');
    expect(await runExamples(text)).toEqual({ examples: 7, problems: [] });
  });
});

it('a link that leads nowhere is reported, unless it is in code', () => {
  const text = '[a](here.ts) [b](nowhere.ts#x) [c](https://example.com) [d](#place) `[e](code.ts)`';
  expect(brokenLinks(text, import.meta.dirname)).toEqual(['here.ts', 'nowhere.ts#x', '#place']);
});

it('a link to a heading is reported if no heading has that fragment', () => {
  const text = '## `strategy.mode`\n## One, *two*\n## One, two\n[a](#strategymode) [b](#one-two-1) [c](#one-two-2)';
  expect(brokenLinks(text, import.meta.dirname)).toEqual(['#one-two-2']);
  expect(brokenLinks('[a](docs/README.md#none)', import.meta.dirname)).toEqual(['docs/README.md#none']);
});
