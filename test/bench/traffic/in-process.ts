/**
 * `npm run bench:traffic:calls`: the ways of `bench:traffic` without sockets, each with its base in a separate process. Prints
 * CPU microseconds of a request above the base; each figure is the minimum of many alternating rounds. `--only=price,require`
 * selects ways.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { WayFigures } from './measure-calls.ts';
import { ways } from './ways.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',');
const script = new URL('measure-calls.ts', import.meta.url).pathname;

process.stdout.write('| | base | added |\n|---|---:|---:|\n');
for (const { name, isStream } of ways) {
  if (isStream === true || (only !== undefined && !only.includes(name))) continue;
  const text = execFileSync(process.execPath, ['--no-allocation-site-pretenuring', script, name], { encoding: 'utf8' });
  const { base, own }: WayFigures = JSON.parse(text);
  process.stdout.write(`| ${name} | ${base.toFixed(1)} | ${(own - base).toFixed(1)} |\n`);
}
