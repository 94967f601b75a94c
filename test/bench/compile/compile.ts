/**
 * `npm run bench:compile`: how the cost of compiling grows with size. Prints CPU seconds and memory of `gw check` and `gw compile
 * --no-types` for one config with many targets and for many configs, with a bar for each. The gateway is built first, and each
 * run is a separate process. `--targets=1000,10000 --files=500,5000 --rounds=3`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../../schema/json/json.ts';
import { buildGateway } from '../harness/built-gateway.ts';
import { markdownTable, number } from '../harness/figures.ts';
import { manyTargets, smallConfig } from './compile-sizes.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '1000,2500,5000,10000' },
    files: { type: 'string', default: '500,1000,2500,5000' },
    rounds: { type: 'string', default: '3' },
  },
});
const toNumbers = (text: string): readonly number[] => text.split(',').map(Number);
const rounds = Number(values.rounds);

interface Used {
  readonly cpuS: number;
  readonly wallS: number;
  readonly mb: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-compile-'));
const figures = path.join(folder, 'figures.json');

/**
 * Loaded into each measured process: writes the resource usage of all its threads when it exits. It reads VmHWM, because the
 * kernel's own maximum would be that of the benchmark's process.
 */
const probe = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync, writeFileSync } from 'node:fs';
   process.on('exit', () => {
     const { userCPUTime, systemCPUTime } = process.resourceUsage();
     const [, kb] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
     const cpuS = (userCPUTime + systemCPUTime) / 1e6;
     writeFileSync(${JSON.stringify(figures)}, JSON.stringify({ cpuS, wallS: performance.now() / 1000, mb: kb / 1024 }));
   });`,
)}`;

const run = (gateway: string, argv: readonly string[]): Used => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', probe, gateway, ...argv], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  });
  if (status !== 0) throw new Error(`gw ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return JSON.parse(readFileSync(figures, 'utf8'));
};

/** Returns the minimum of several rounds, because other work on the machine can only add to a figure. */
const leastOf = (gateway: string, argv: readonly string[]): Used => {
  const all = Array.from({ length: rounds }, () => run(gateway, argv));
  const least = (of: (used: Used) => number): number => Math.min(...all.map(of));
  return { cpuS: least(({ cpuS }) => cpuS), wallS: least(({ wallS }) => wallS), mb: least(({ mb }) => mb) };
};

interface Row {
  readonly size: string;
  readonly check: Used;
  readonly compiled: Used;
}

const cells = ({ cpuS, wallS, mb }: Used): readonly string[] => [number(cpuS, 2), number(wallS, 2), number(mb, 0)];

const table = (of: string, rows: readonly Row[]): string =>
  markdownTable(
    [of, 'check: CPU s', 'wall s', 'MB', 'compile: CPU s', 'wall s', 'MB'],
    rows.map(({ size, check, compiled }) => [size, ...cells(check), ...cells(compiled)]),
  );

/** Draws a bar for each row. The bars grow in proportion to the sizes if the time is linear. */
const bars = (rows: readonly Row[]): string => {
  const most = Math.max(...rows.map(({ check }) => check.cpuS));
  const width = Math.max(...rows.map(({ size }) => size.length));
  return rows
    .map(
      ({ size, check }) =>
        `${size.padStart(width)} ${'█'.repeat(Math.round((check.cpuS / most) * 60))} ${number(check.cpuS, 2)} s\n`,
    )
    .join('');
};

const write = (name: string, config: JsonObject): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config, undefined, 1));
  return file;
};

const measure = (gateway: string, place: string, size: string): Row => ({
  size,
  check: leastOf(gateway, ['check', place]),
  compiled: leastOf(gateway, ['compile', place, '--no-types', '--out', `plans-${size}`]),
});

try {
  const gateway = await buildGateway(folder);
  const ofTargets = toNumbers(values.targets).map((count) =>
    measure(gateway, write(`targets-${count}.json`, manyTargets(count)), count.toLocaleString('en-US')),
  );
  const ofFiles = toNumbers(values.files).map((count) => {
    for (let at = 0; at < count; at += 1) write(`files-${count}/config-${at}.json`, smallConfig(at));
    return measure(gateway, `files-${count}`, count.toLocaleString('en-US'));
  });
  for (const [title, rows] of [
    ['targets of one config', ofTargets],
    ['configs of three targets', ofFiles],
  ] as const)
    process.stdout.write(`${table(title, rows)}\n\`\`\`\n${bars(rows)}\`\`\`\n\n`);
  process.stdout.write(`On ${availableParallelism()} processors; the least of ${rounds} rounds.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
