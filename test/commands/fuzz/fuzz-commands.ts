import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { runGw } from '../../support/run-gw.ts';

/** The commands that read what a user wrote and ask no gateway. */
const commands = [
  'check',
  'compile',
  'explain',
  'plugin',
  'health',
  'alerts',
  'apply',
  'export',
  'nonsense',
  'keys',
  'configs',
] as const;

const flags = [
  ...[
    '--format',
    '--config',
    '--out',
    '--request',
    '--max-warnings',
    '--fix',
    '--yes',
    '--portable',
    '--no-types',
    '--dialect',
  ],
  ...[
    '--help',
    '--url',
    '--timeout-ms',
    '--',
    '-',
    '-x',
    '--=',
    '--format=json',
    '--format=sarif',
    '--format=github',
    '--max-warnings=-1',
  ],
] as const;

const fileNames = [
  'a.json',
  'b.jsonc',
  'c.yaml',
  'd.yml',
  'gateway.json',
  'gateway.yaml',
  'e.plan.json',
  'no-ending',
] as const;

const argument = fc.oneof(
  { arbitrary: fc.constantFrom<string>(...flags), weight: 4 },
  { arbitrary: fc.constantFrom<string>(...fileNames, '.', 'folder', 'none.json', 'json', '1', ''), weight: 4 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 8 }), weight: 1 },
);

const word = fc.constantFrom(
  ...[
    'provider',
    'targets',
    'strategy',
    'mode',
    'retry',
    'name',
    'echo',
    'openai',
    'fallback',
    'attempts',
    '1',
    '-1',
    '1e999',
    'true',
    'yes',
  ],
  ...[
    'null',
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    ',',
    '"',
    "'",
    '\n',
    '\n  ',
    '\n- ',
    ' ',
    '\t',
    '#',
    '//',
    '/*',
    '*/',
    '&a ',
    '*a',
    '<<: ',
    '!x ',
    '|',
    '>',
  ],
  ...[
    'configs',
    'plugins',
    'metadata',
    'upstream',
    '\\',
    '\u0000',
    '\uFEFF',
    '\u2028',
    '---\n',
    '%YAML',
    '__proto__',
    '$schema',
    '${env:X}',
  ],
);

const config = fc.oneof(
  { arbitrary: fc.array(word, { maxLength: 30 }).map((words) => words.join('')), weight: 4 },
  { arbitrary: fc.json(), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      '{"provider":"echo"}',
      'provider: echo\n',
      '{"provider": "ecko",}',
      "{'provider': 'echo'}",
    ),
    weight: 2,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 1 },
);

const bytes = fc.oneof(
  { arbitrary: config.map((text) => Buffer.from(text)), weight: 9 },
  { arbitrary: fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.from(each)), weight: 1 },
);

const oneRun = fc.record({
  command: fc.constantFrom(...commands),
  argv: fc.array(argument, { maxLength: 5 }),
  files: fc.dictionary(fc.constantFrom(...fileNames), bytes, { maxKeys: 3 }),
});

/** The place of the program that an error of its own would show. */
const trace = /\n\s+at (?:async )?\S+ ?\(?(?:file:|node:|\/)/;

/** What is wrong with how a command ended; undefined where nothing is. */
const problemOf = ({
  code,
  out,
  err,
}: {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}): string | undefined => {
  if (![0, 1, 2].includes(code)) return `the exit code is ${code}`;
  if (trace.test(`${out}${err}`)) return 'a stack trace is printed';
  if (code === 2 && !/gw: \S/.test(err)) return 'nothing says why it cannot be run';
  return code !== 0 && out === '' && err === '' ? 'nothing is printed' : undefined;
};

/** Runs commands with random arguments, files and texts in a folder. Throws with the smallest run that ends wrongly. */
export const fuzzCommands = async (folder: string, numRuns: number): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(oneRun, async ({ command, argv, files }) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(path.join(folder, 'folder'), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
      const problem = problemOf(await runGw(folder, [command, ...argv]));
      if (problem !== undefined) throw new Error(problem);
    }),
    { numRuns },
  );
};
