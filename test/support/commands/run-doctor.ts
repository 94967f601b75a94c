import { spawn } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { installedGw } from '../gateways/installed-gateway.ts';
import { type CommandProcess, startCommands } from './command-process.ts';

/** A finding of `gw doctor`, as in `--format json`. */
export interface DoctorFinding {
  readonly check: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly subject: string;
  readonly what: string;
  readonly remedy: string;
}

export interface DoctorRun {
  readonly code: number;
  /** Errors and warnings. */
  readonly problems: readonly DoctorFinding[];
  readonly notes: readonly DoctorFinding[];
  readonly checks: readonly string[];
  readonly milliseconds: number;
  /** Everything that it printed. */
  readonly printed: string;
}

/** `severity[check] subject: what = remedy`, of which tests compare parts. */
export const findingLines = ({ problems }: DoctorRun): readonly string[] =>
  problems.map(({ check, severity, subject, what, remedy }) => `${severity}[${check}] ${subject}: ${what} = ${remedy}`);

export interface DoctorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to run it as the user of the tests, which may be root. */
  readonly asIs?: boolean;
  /** A program with its first arguments that runs the command. */
  readonly through?: readonly [string, ...string[]];
}

/** The user nobody: tests may run as root, but a gateway should not. */
const other = 65_534;

const giveAway = (place: string): void => {
  chownSync(place, other, other);
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    const inside = path.join(place, entry.name);
    if (entry.isDirectory()) giveAway(inside);
    else if (!entry.isSymbolicLink()) chownSync(inside, other, other);
  }
};

const doctorArgs = ['doctor', '--format', 'json', '--timeout-ms', '8000'];

const toRun = (code: number, out: string, printed: string): DoctorRun => {
  if (code !== 0 && code !== 1) throw new Error(`gw doctor ended with ${code}:\n${printed}`);
  const { findings, checks, milliseconds } = JSON.parse(out) as DoctorRun & { findings: DoctorFinding[] };
  const notes = findings.filter(({ severity }) => severity === 'note');
  const problems = findings.filter(({ severity }) => severity !== 'note');
  return { code, problems, notes, checks, milliseconds, printed };
};

/** Runs `gw doctor` in a folder as a user that is not root. The folder is given to that user. */
export const runDoctor = (
  cwd: string,
  { args = [], env = {}, asIs = false, through }: DoctorOptions = {},
): Promise<DoctorRun> => {
  const isOther = process.getuid?.() === 0 && !asIs;
  if (isOther) giveAway(cwd);
  const command = [...(through ?? []), process.execPath, installedGw, ...doctorArgs];
  const [program = '', ...first] = [...command, ...args];
  const child = spawn(program, first, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isOther ? { uid: other, gid: other } : {}),
  });
  let [out, printed] = ['', ''];
  child.stdout.on('data', (part) => {
    out += part;
    printed += part;
  });
  child.stderr.on('data', (part) => {
    printed += part;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      try {
        resolve(toRun(status ?? -1, out, printed));
      } catch (error) {
        reject(error);
      }
    });
  });
};

/** Whether Node itself reads the variable when it starts. */
const isReadAtStart = (name: string): boolean => name.startsWith('NODE_') || name === 'TZ';

/**
 * Runs `gw doctor` like `runDoctor`, but runs all set-ups of a test file one after another in one process, unless a separate
 * process is needed: starting one costs several times as much as the checks.
 */
export const sharedDoctor = (): typeof runDoctor => {
  let commands: CommandProcess | undefined;
  afterAll(() => commands?.stop());
  return async (cwd, options = {}) => {
    const { args = [], env = {}, asIs = false, through } = options;
    if (asIs || through !== undefined || Object.keys(env).some(isReadAtStart)) return runDoctor(cwd, options);
    const isOther = process.getuid?.() === 0;
    if (isOther) giveAway(cwd);
    commands ??= startCommands(isOther ? { uid: other, gid: other } : {});
    const { status, stdout, stderr } = await commands.run({
      ...{ cwd, argv: [...doctorArgs, ...args], env: { PATH: process.env.PATH, ...env } },
    });
    return toRun(status, stdout, stdout + stderr);
  };
};
