import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { placeholderFacts } from '../../schema/config/placeholder-fact.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption, storeOptions } from './command-line/format-option.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import { readCount } from './command-line/read-count.ts';
import type { CommandServices } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { type CompiledFiles, compileFiles } from './configs/compiled-files.ts';
import { leaveOutOthers } from './configs/other-files.ts';
import { fixFile } from './fix-file.ts';
import { formatGithub } from './report/format-github.ts';
import { formatSarif } from './report/format-sarif.ts';
import { countDiagnostics, countText, formatJson, moreText, writeDiagnostics } from './report/report.ts';
import { StoreNames } from './saved-configs/store-names.ts';

const spec = {
  name: 'gw check',
  summary: 'Finds mistakes in routing configs, and shows where each one is and how to correct it.',
  positionals: '[FILE|DIR…]',
  takes: { min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    config: configOption,
    format: {
      type: 'string',
      choices: [...formatOption.choices, 'github', 'sarif'],
      describe: 'Text, JSON, GitHub annotations, or SARIF 2.1.0.',
    },
    ...storeOptions,
    portable: { type: 'boolean', describe: 'Warn about settings that other gateways for this format do not support.' },
    fix: {
      type: 'boolean',
      describe: 'Apply the fixes that do not change what a config means, and show them; ask before applying a guess.',
    },
    yes: { type: 'boolean', describe: 'With --fix: do not ask, and apply no guesses.' },
    'max-warnings': { type: 'string', value: 'N', describe: 'Fail if there are more warnings than this.' },
  },
  notes: [
    'With --config and without FILE and DIR, the gateway file itself is checked, and the configs of the folder that it names.',
    'If only FILE is given, warnings about the gateway file beside it are left out; its errors are not.',
    '',
    'In a folder, every .json, .jsonc, .yaml and .yml file is checked, including those of its sub-folders, except compiled plans, route',
    'tests, the gateway file, the files of npm, and everything in node_modules or in hidden folders. If a plugin cannot be loaded, the',
    'configs that do not use it are checked as usual. A file that cannot be read is a finding too. A gateway file with another name',
    'and a compiled plan in a folder are skipped, and named on stderr, unless they are in the folder that the gateway serves.',
    '',
    'A saved provider, virtual key, guardrail or prompt that the gateway file does not have is looked up in the store of the gateway',
    'that --profile, GW_URL with GW_API_KEY, or the profile "default" names. If none of them is set, no store is used. A name that',
    'could not be looked up, because the gateway does not answer or the key may not read it, is an error too. Configs in the',
    "gateway file's own folder cannot use names that only a store has.",
    '',
    'If a variable that a file refers to still has the value of an example such as .env.example, it is named on stderr. This is no failure.',
    '',
    'A note is information, such as what one branch does not serve and another one does. Notes never make the command fail.',
    '',
    'With --portable, each member, operator and form that only Gatewright has is a warning that says what a config for other',
    'gateways would have instead. Like all warnings, these make the command fail only with --max-warnings.',
    '',
    '--fix changes the files, including the gateway file. A fix is applied without asking if the plan stays the same, its finding',
    'disappears and no new finding appears: for example the syntax of .json files, items that appear twice, and settings without an',
    'effect. For a guess, such as the name of a target that was probably meant, it asks on a terminal. Without a terminal, or with',
    '--yes, guesses are not applied.',
    '',
    'Exit code: 0 no errors, and no more warnings than --max-warnings allows (any number without it); 1 otherwise;',
    '2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw check configs', 'gw check --config gateway.json', 'gw check configs --format sarif --max-warnings 0'],
} as const satisfies CommandSpec;

export const checkTree: CommandTree = { spec };

/** Warns about secrets in the environment that still have the value of an example. These are not findings of a file. */
const warnOfPlaceholders = ({ files, gateway }: CompiledFiles, { env, err }: CommandServices['io']): void => {
  const own = gateway === undefined || files.some(({ file }) => file === gateway.file) ? [] : [gateway];
  for (const { what, remedy } of placeholderFacts([...own, ...files], env)) err.write(`gw: ${what} ${remedy}\n`);
};

/**
 * `gw check`: prints every finding. Returns 1 if one of them is an error, or if there are too many warnings. Throws a
 * `UsageError`.
 */
export const check = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { out } = services.io;
  const given = readCommandLine(spec, argv, out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const maxWarnings = readCount('max-warnings', values['max-warnings']) ?? Number.POSITIVE_INFINITY;
  const names = new StoreNames(() => services.storeIfSet(values));
  const { config, portable = false } = values;
  if (positionals.length === 0 && config === undefined)
    throw new UsageError('gw check requires FILE|DIR…, or --config FILE.', 'See gw check --help.');
  if (values.yes === true && values.fix !== true) throw new UsageError('--yes is given without --fix.', 'Add --fix.');
  const isText = (values.format ?? 'human') === 'human';
  const mend =
    values.fix === true
      ? fixFile(services, { mayAsk: values.yes !== true && isText, log: isText ? out : services.io.err })
      : undefined;
  // A fix may not change the plan, and JSON contains its name.
  const findingsOnly = mend === undefined && values.format !== 'json';
  const options = { paths: positionals, config, deep: true, names, portable, findingsOnly, ...(mend && { mend }) };
  const compiled = await compileFiles(services, { ...options, namedOnly: true });
  const { files, leftOut } = leaveOutOthers(compiled, positionals, services.io);
  const counts = countDiagnostics(files);
  const tooMany = counts.warnings > maxWarnings;
  const total = `${countText(counts, files.length)}\n`;
  const bound = tooMany ? `At most ${formatCount(maxWarnings, 'warning')} allowed.\n` : '';
  const formats: { readonly [Name in (typeof spec)['options']['format']['choices'][number]]: () => string } = {
    human: () => total + moreText(counts) + bound,
    json: () => formatJson(files),
    github: () => formatGithub(files) + total + bound,
    sarif: () => formatSarif(files, services.versions.gatewright),
  };
  if (isText) writeDiagnostics(files, out);
  out.write(formats[values.format ?? 'human']());
  for (const sentence of leftOut) services.io.err.write(`gw: ${sentence}\n`);
  warnOfPlaceholders({ ...compiled, files }, services.io);
  return counts.errors > 0 || tooMany ? 1 : 0;
};
