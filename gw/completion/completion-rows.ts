import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';

/** A word that can follow, and its description. */
export interface OfferedWord {
  readonly word: string;
  readonly describe: string;
}

/** The value of a flag: none, a file, any text, or one of several words. */
export type FlagValue = 'none' | 'file' | 'text' | readonly string[];

export interface OfferedFlag {
  /** The flag, with its dashes. */
  readonly flag: string;
  readonly value: FlagValue;
  readonly describe: string;
}

/** The words and flags that can follow `gw`, or `gw configs list`. */
export interface CompletionRow {
  /** The words before it, separated by spaces. */
  readonly at: string;
  readonly words: readonly OfferedWord[];
  readonly flags: readonly OfferedFlag[];
  readonly takesFiles: boolean;
}

/** Whether a word for a value means a path. */
const isPath = (value: string): boolean => /\b(?:FILE|DIR|FOLDER|PATH|TARBALL|CONFIG|OLD|NEW)\b/.test(value);

const toFlagValue = ({ type, value = 'VALUE', choices }: CommandSpec['options'][string]): FlagValue => {
  if (type === 'boolean') return 'none';
  if (choices !== undefined) return choices;
  return isPath(value) ? 'file' : 'text';
};

const help: OfferedFlag = {
  flag: '--help',
  value: 'none',
  describe: 'Print a description of the command and its arguments.',
};

/** Returns the words that an argument can be: `bash|zsh|fish`. */
const choicesOf = ({ positionals }: CommandSpec): readonly string[] =>
  positionals
    .split(/[\s[\]]+/)
    .filter((part) => /^[a-z]+(?:\|[a-z]+)+$/.test(part))
    .flatMap((part) => part.split('|'));

const summaryOf = ({ headline, spec, commands = {} }: CommandTree): string =>
  headline ?? spec?.summary ?? `Commands: ${Object.keys(commands).join(', ')}.`;

/** Lists what can follow each command of a tree, outer commands first. */
export const completionRows = (at: string, { spec, commands = {} }: CommandTree): readonly CompletionRow[] => [
  {
    at,
    words: [
      ...Object.entries(commands).map(([word, tree]) => ({ word, describe: summaryOf(tree) })),
      ...(spec === undefined ? [] : choicesOf(spec)).map((word) => ({ word, describe: '' })),
    ],
    flags: [
      ...Object.entries(spec?.options ?? {}).map(([name, option]) => ({
        flag: `--${name}`,
        value: toFlagValue(option),
        describe: option.describe,
      })),
      help,
    ],
    takesFiles: spec !== undefined && isPath(spec.positionals),
  },
  ...Object.entries(commands).flatMap(([word, tree]) => completionRows(`${at} ${word}`, tree)),
];
