import { commandHelp } from './command-help.ts';
import type { CommandSpec } from './command-spec.ts';
import { compileFiles } from './compiled-files.ts';
import type { ExitCode } from './exit-code.ts';
import { configOption, formatOption } from './format-option.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { countFindings, countText, findingsJson, findingsText } from './report.ts';
import type { CommandServices } from './services.ts';

const spec = {
  name: 'gw check',
  summary: 'Finds the mistakes in routing configs, each with its place and what to do about it.',
  positionals: 'FILE|DIR…',
  takes: { least: 1, most: Number.POSITIVE_INFINITY },
  options: { config: configOption, format: formatOption },
  notes: 'Exit code: 0 without errors (warnings may be there), 1 with errors, 2 where the command cannot be followed.',
} as const satisfies CommandSpec;

/** `gw check`: prints every finding. 1 where one of them is an error. Throws a `UsageError`. */
export const check = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values, positionals } = parseCommandLine(spec, argv);
  const { out } = services.io;
  if (help) {
    out.write(commandHelp(spec));
    return 0;
  }
  const { files } = await compileFiles(services, positionals, values.config);
  const counts = countFindings(files);
  if (values.format === 'json') out.write(findingsJson(files));
  else out.write(`${findingsText(files, out)}${countText(counts, files.length)}\n`);
  return counts.errors > 0 ? 1 : 0;
};
