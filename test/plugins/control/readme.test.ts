import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { promptWorld } from './catalog/prompts/support/prompt-world.ts';
import { providerWorld } from './catalog/providers/support.ts';
import { policyWorld } from './metering/policies/support.ts';
import { startPlaces } from './support/place-world.ts';
import { readmeExample } from './support/readme-example.ts';
import { expectAnswers } from './support/readme-requests.ts';
import { savedWorld } from './support/saved-world.ts';

const run = promisify(execFile);

const printing = [
  ...[
    'kernel/store',
    'kernel/jobs',
    'access/identity',
    'access/keys',
    'catalog/prompts',
    'metering/ledger',
    'metering/counters',
    'work/accounts',
    'work/avro',
    'work/batches/providers',
    'work/fine-tuning',
  ],
  ...['work/references', 'work/responses', 'logs'],
];

it.each(printing)('the example of the README of %s prints what it says', async (area) => {
  const { folder, file, fence } = readmeExample(area);
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  expect([stdout, stderr]).toEqual([fence('text'), '']);
  if (area === 'kernel/store') expect(readdirSync(folder)).toContain('backup.db');
});

it.each(['catalog/configs', 'work/files', 'catalog/guardrails'])(
  'the example of the README of %s returns what it says',
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
