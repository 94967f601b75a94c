import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promptWorld } from './catalog/prompts/support/prompt-world.ts';
import { providerWorld } from './catalog/providers/support.ts';
import { policyWorld } from './metering/policies/support.ts';
import { startPlaces } from './support/place-world.ts';
import { type ReadmeExample, readmeExample } from './support/readme-example.ts';
import { expectAnswers } from './support/readme-requests.ts';
import { savedWorld } from './support/saved-world.ts';

const printing = [
  ...[
    'kernel/store',
    'kernel/jobs',
    'access/identity',
    'access/keys',
    'catalog/prompts',
    'metering/ledger',
    'metering/counters',
    'work/provider-requests',
    'work/provider-requests/datasets/avro',
    'work/batches/providers',
    'work/fine-tuning',
  ],
  ...['work/remote-ids', 'work/responses', 'logs'],
];

/** Runs files in their folders, one after another, in a process that exits by itself. Each output ends with U+0000. */
const running = `
  for (const file of process.argv.slice(1)) {
    process.chdir(file.slice(0, file.lastIndexOf('/')));
    await import(file).catch((error) => console.log(error));
    process.stdout.write('\\0');
  }
`;

describe('the README example', () => {
  let examples: readonly ReadmeExample[];
  let printed: readonly string[];
  let errors: string;
  const removing: (() => void)[] = [];

  beforeAll(async () => {
    examples = printing.map((area) => readmeExample(area, (remove) => removing.push(remove)));
    const files = examples.map(({ file }) => file);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      running,
      ...files,
    ]);
    printed = stdout.split('\0');
    errors = stderr;
  });
  afterAll(() => {
    for (const remove of removing) remove();
  });

  it.each(printing.map((area, at) => [area, at] as const))('of %s prints what the README says', (area, at) => {
    expect([printed[at], errors]).toEqual([examples[at]?.fence('text'), '']);
    if (area === 'kernel/store') expect(readdirSync(examples[at]?.folder ?? '')).toContain('backup.db');
  });
});

it.each(['catalog/configs', 'work/files', 'catalog/guardrails'])(
  'the example in the README of %s returns what it says',
  async (area) => {
    await using world = await savedWorld();
    const { markdown, file } = readmeExample(area);
    const module = await import(file);
    const returned = await module.example(world.parts, world.admin);
    expect(markdown).toContain(`It returns \`${typeof returned === 'string' ? returned : JSON.stringify(returned)}\`.`);
  },
);

it.each(['access/keys', 'access/workspaces'])(
  'the requests in the README of %s are answered as it says',
  async (area) => {
    await using world = await startPlaces();
    await expectAnswers(area, world.as(world.admin));
  },
);

it.each([
  ['catalog/configs', savedWorld],
  ['catalog/guardrails', savedWorld],
  ['catalog/prompts', promptWorld],
  ['catalog/providers', providerWorld],
  ['metering/policies', policyWorld],
] as const)('the requests in the README of %s are answered as it says', async (area, start) => {
  await using world = await start();
  await expectAnswers(area, world.ask);
});
