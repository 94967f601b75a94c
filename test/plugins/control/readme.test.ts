import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readmeExample } from './support/readme-example.ts';
import { savedWorld } from './support/saved-world.ts';

const run = promisify(execFile);

const printing = [
  ...[
    'accounts',
    'avro',
    'batches/providers',
    'fine-tuning',
    'identity',
    'jobs',
    'keys',
    'ledger',
    'limits',
    'logs',
    'prompts',
  ],
  ...['references', 'responses', 'store'],
];

it.each(printing)('the example of the README of %s prints what it says', async (area) => {
  const { folder, file, fence } = readmeExample(area);
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  expect([stdout, stderr]).toEqual([fence('text'), '']);
  if (area === 'store') expect(readdirSync(folder)).toContain('backup.db');
});

it.each(['configs', 'files', 'guardrails'])('the example of the README of %s returns what it says', async (area) => {
  await using world = await savedWorld();
  const { markdown, file } = readmeExample(area);
  const module = await import(file);
  const returned = await module.example(world.parts, world.admin);
  expect(markdown).toContain(`It returns \`${typeof returned === 'string' ? returned : JSON.stringify(returned)}\`.`);
});
