import path from 'node:path';
import { type CommandResult, runCommand } from '../../support/commands/run-command.ts';

/** Runs the `gw` that is installed in a project, in that project's folder. */
export const runGw = (project: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand([path.join('node_modules', '.bin', 'gw'), ...args], { cwd: project });
