import type { ExitCode } from '../../compiler/cli/command-line/exit-code.ts';
import { readCommandLine } from '../../compiler/cli/command-line/parse-command-line.ts';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { bashScript } from './bash-script.ts';
import { completionRows } from './completion-rows.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

const isShell = (name: string): name is keyof typeof scripts => Object.hasOwn(scripts, name);

const spec = {
  name: 'gw completion',
  summary: 'Prints a script with which a shell completes commands, flags, their values, and files.',
  positionals: 'bash|zsh|fish',
  takes: { min: 1, max: 1 },
  options: {},
  examples: ['gw completion bash > gw-completion.bash'],
  notes: [
    'The script belongs to this version, and runs no program while you type. Load it when a shell starts:',
    '',
    '  bash  source <(gw completion bash), in ~/.bashrc',
    '  zsh   source <(gw completion zsh), in ~/.zshrc after compinit',
    '  fish  gw completion fish > ~/.config/fish/completions/gw.fish, once',
    '',
    'Exit code: 0 printed, 2 the command cannot be run.',
  ].join('\n'),
} as const satisfies CommandSpec;

export const completionTree: CommandTree = { spec };

/** `gw completion`. Throws a `UsageError`. */
export const completion = async (
  io: CommandIo,
  argv: readonly string[],
  readTree: () => Promise<CommandTree>,
): Promise<ExitCode> => {
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { positionals } = given;
  const [shell = ''] = positionals;
  if (!isShell(shell))
    throw new UsageError(
      `There is no script for the shell "${shell}".`,
      suggestName(shell, Object.keys(scripts), 'Write bash, zsh or fish.'),
    );
  io.out.write(scripts[shell](completionRows('gw', await readTree())));
  return 0;
};
