import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { commandTree } from '../../../gw/commands.ts';
import { type CompletionRow, completionRows, type OfferedFlag } from '../../../gw/completion/completion-rows.ts';
import { runGw } from '../../support/commands/run-gw.ts';

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

const junk = fc.oneof(
  {
    arbitrary: fc.constantFrom<string>(
      ...[
        ...fileNames,
        '.',
        'folder',
        'none.json',
        'json',
        '1',
        '-1',
        '',
        '-',
        '--',
        '-x',
        '--=',
        '--nonsense',
        'list',
      ],
      ...[
        'http://127.0.0.1:9',
        'http://[',
        '@x',
        'a=b',
        'x@1',
        'HEAD:a.json',
        '2030-01-31T12:00:00Z',
        '1h',
        '9'.repeat(30),
      ],
    ),
    weight: 4,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 8 }), weight: 1 },
);

const toValue = ({ value }: OfferedFlag): fc.Arbitrary<readonly string[]> => {
  if (value === 'none') return fc.constant([]);
  const likely = value === 'file' ? fc.constantFrom(...fileNames) : value === 'text' ? junk : fc.constantFrom(...value);
  return fc.oneof({ arbitrary: likely, weight: 4 }, { arbitrary: junk, weight: 1 }).map((text) => [text]);
};

/** Generates a flag of a command, usually with one of its values. */
const toFlag = (row: OfferedFlag): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(toValue(row), fc.integer({ min: 0, max: 9 }))
    .map(([values, way]) =>
      way === 0 ? [`${row.flag}=${values[0] ?? ''}`] : way === 1 ? [row.flag] : [row.flag, ...values],
    );

/** Flags with which a command waits for ever. */
const endless: ReadonlySet<string> = new Set(['--watch', '--follow', '--stdio']);

/** Arguments that end commands which would otherwise serve or contact other machines. */
const endings: Readonly<Record<string, readonly string[]>> = {
  // The address belongs to nobody: the gateway starts as far as it can, but does not listen.
  'gw serve': ['--host', '203.0.113.1', '--workers', '1'],
  'gw doctor': ['--offline'],
  'gw lsp': ['--nonsense'],
};

/** Generates arguments for a command of the table. */
const toArguments = ({ at, flags }: CompletionRow): fc.Arbitrary<readonly string[]> => {
  const usable = flags.filter(({ flag }) => !endless.has(flag));
  const one = fc.oneof(
    { arbitrary: fc.oneof(...usable.map(toFlag)), weight: 3 },
    { arbitrary: junk.map((text) => [text]), weight: 3 },
  );
  return fc
    .array(one, { maxLength: 5 })
    .map((parts) => [...at.split(' ').slice(1), ...parts.flat(), ...(endings[at] ?? [])]);
};

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

const files = fc.dictionary(fc.constantFrom(...fileNames), bytes, { maxKeys: 3 });

export interface FuzzOptions {
  readonly numRuns: number;
  readonly seed?: number;
}

/** A position in the program's code, which a stack trace would show. */
const trace = /\n\s+at (?:async )?\S+ ?\(?(?:file:|node:|\/)/;

/** Describes what is wrong with how a command ended. Returns undefined if nothing is. */
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
  // Inputs that cannot be compared are reported as diagnostics.
  if (code === 2 && !/gw: \S|error\[|"severity": "error"/.test(`${out}${err}`))
    return 'nothing says why it cannot be run';
  return code !== 0 && out === '' && err === '' ? 'nothing is printed' : undefined;
};

/** Runs all commands with random arguments, files and texts in a folder. Throws with the smallest failing run. */
export const fuzzCommands = async (folder: string, { numRuns, seed }: FuzzOptions): Promise<void> => {
  // Nothing listens at this port.
  process.env.GW_URL = 'http://127.0.0.1:9';
  // The standard input of a test process never ends, and a command with "-" would read it.
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => Readable.from([]) });
  const rows = completionRows('gw', await commandTree());
  const argv = fc.oneof(...rows.map(toArguments));
  await fc.assert(
    fc.asyncProperty(argv, files, async (given, texts) => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(path.join(folder, 'folder'), { recursive: true });
      for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
      const problem = problemOf(await runGw(folder, given));
      if (problem !== undefined) throw new Error(problem);
    }),
    { numRuns, ...(seed === undefined ? {} : { seed }) },
  );
};
