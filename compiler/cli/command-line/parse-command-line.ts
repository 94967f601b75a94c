import { parseArgs } from 'node:util';
import { commandHelp } from '../../../schema/command-help/command-help.ts';
import type { CommandSpec, OptionSpec, OptionSpecs, OptionValues } from '../../../schema/command-help/command-spec.ts';
import { closestName, suggestName } from '../../../schema/text/closest-name.ts';
import type { TextOutput } from './services.ts';
import { UsageError } from './usage-error.ts';

export interface CommandLine<Options extends OptionSpecs> {
  readonly help: boolean;
  readonly values: OptionValues<Options>;
  readonly positionals: readonly string[];
}

const flagHint = (spec: CommandSpec, name: string): string => {
  const closest = closestName(name, [...Object.keys(spec.options), 'help']);
  if (closest !== undefined) return `Did you mean --${closest}?`;
  const isFormat = spec.options.format?.choices?.includes(name) === true;
  return isFormat ? `Write --format ${name}.` : `See ${spec.name} --help.`;
};

const unknownFlag = (spec: CommandSpec, flag: string): UsageError =>
  new UsageError(`${spec.name} has no flag ${flag}.`, flagHint(spec, flag.replace(/^-+/, '')));

const checkValue = (spec: CommandSpec, name: string, value: string | undefined): void => {
  const { type, value: what = 'VALUE', choices } = spec.options[name] ?? { type: 'boolean' };
  if (type === 'boolean') {
    if (value !== undefined) throw new UsageError(`The flag --${name} takes no value.`, `Leave out "=${value}".`);
    return;
  }
  if (value === undefined || value === '')
    throw new UsageError(`The flag --${name} requires a value.`, `Write --${name} ${what}.`);
  if (choices !== undefined && !choices.includes(value))
    throw new UsageError(
      `The flag --${name} cannot be "${value}".`,
      suggestName(value, choices, `Use ${choices.join(' or ')}.`),
    );
};

/** Whether a text is a flag rather than a value such as `-` (the standard input) or a negative number. */
const isFlag = (text: string): boolean => text.startsWith('-') && text !== '-' && !/^-\d/.test(text);

type Value = string | boolean | readonly string[];

/** Returns the value of an option that is given again. The last one wins, as in flags of scripts, unless the option is a list. */
const withBefore = (option: OptionSpec | undefined, before: Value | undefined, value: string): Value => {
  if (option?.many === true) return [...(Array.isArray(before) ? before : []), value];
  return option?.joins === true && typeof before === 'string' ? `${before},${value}` : value;
};

/**
 * Parses a command's arguments. Throws a `UsageError` for an unknown flag, and for a value or an argument that is missing or
 * wrong.
 */
export const parseCommandLine = <Options extends OptionSpecs>(
  spec: CommandSpec<Options>,
  argv: readonly string[],
): CommandLine<Options> => {
  const options = Object.fromEntries(
    [...Object.entries(spec.options), ['help', { type: 'boolean' }] as const].map(([name, { type }]) => [
      name,
      name === 'help' ? ({ type, short: 'h' } as const) : { type },
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, Value> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(options, token.name)) throw unknownFlag(spec, token.rawName);
    const swallowed = token.inlineValue === false && isFlag(token.value ?? '');
    checkValue(spec, token.name, swallowed ? undefined : token.value);
    const before = values[token.name];
    values[token.name] = token.value === undefined || withBefore(spec.options[token.name], before, token.value);
  }
  // The tokens were checked one by one against the specification of their option.
  const parsed = { help: values.help === true, values: values as OptionValues<Options>, positionals };
  if (!parsed.help) checkPositionals(spec, positionals);
  return parsed;
};

/**
 * Parses a command's arguments. If they request the help of the command, prints it and returns undefined. Throws a `UsageError` as
 * `parseCommandLine` does.
 */
export const readCommandLine = <Options extends OptionSpecs>(
  spec: CommandSpec<Options>,
  argv: readonly string[],
  out: TextOutput,
): Omit<CommandLine<Options>, 'help'> | undefined => {
  const { help, ...given } = parseCommandLine(spec, argv);
  if (help) out.write(commandHelp(spec));
  return help ? undefined : given;
};

const checkPositionals = ({ name, positionals, takes }: CommandSpec, given: readonly string[]): void => {
  if (given.length < takes.min) throw new UsageError(`${name} requires ${positionals}.`, `See ${name} --help.`);
  if (given.length > takes.max)
    throw new UsageError(
      `${name} takes ${takes.max === 1 ? 'one argument' : `${takes.max} arguments`}, and "${given[takes.max]}" is one too many.`,
      `See ${name} --help.`,
    );
  // As a path, it would be the working folder.
  if (given.includes('')) throw new UsageError(`${name} takes no empty argument.`, `See ${name} --help.`);
};
