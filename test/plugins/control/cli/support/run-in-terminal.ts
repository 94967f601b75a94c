import { parseCommandLine } from '../../../../../compiler/cli/command-line/parse-command-line.ts';
import type { Printer } from '../../../../../plugins/control/cli/command-line/services.ts';
import { controlCommands } from '../../../../../plugins/control/cli/control-commands.ts';
import { commandHelp } from '../../../../../schema/command-help/command-help.ts';
import type { GwRun } from '../../../../support/commands/run-gw.ts';

const unused = (): never => {
  throw new Error('The command does not need this.');
};

const recorder = (): Printer & { readonly texts: readonly string[] } => {
  const texts: string[] = [];
  return { texts, colour: false, write: (text) => void texts.push(text) };
};

/** Runs a command that reads no file of the user's, as if standard output were a terminal of 80 columns. */
export const runInTerminal = async (name: string, cwd: string, argv: readonly string[]): Promise<GwRun> => {
  const [out, err] = [recorder(), recorder()];
  const { run } = controlCommands.find((command) => command.name === name) ?? { run: unused };
  const code = await run(
    {
      ...{ cwd, home: cwd, env: process.env, isTerminal: true, columns: 80 },
      ...{ out, err },
      ...{ parse: parseCommandLine, help: commandHelp },
      onStop: unused,
      ...{ readText: unused, readJson: unused, render: unused, configuredStore: unused, configuredMasterKey: unused },
      ...{ providerFacts: unused, modelFacts: unused, refreshModels: unused, writeFiles: unused },
    },
    argv,
  );
  return { code, out: out.texts.join(''), err: err.texts.join('') };
};
