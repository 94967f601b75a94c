import type { CommandSpec, OptionSpec } from '../../../../schema/command-help/command-spec.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { isDateTime } from '../../../sdk/parameters/text-formats.ts';
import type { ApiCommand, FlagForm, MemberFlag, MemberFlags } from '../../kernel/resource/api-command.ts';
import { accessFlags, accessNotes } from '../client/gateway-access.ts';
import { type ControlServices, type FlagValues, usageFailure } from '../command-line/services.ts';
import { exampleArguments } from './examples.ts';

const formatFlag = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or the JSON that the gateway returns.',
} as const;

const toFormatFlag = (alone: string | undefined): OptionSpec =>
  alone === undefined
    ? formatFlag
    : {
        ...formatFlag,
        choices: [...formatFlag.choices, alone],
        describe: `Text for people, the JSON that the gateway returns, or only the ${alone}.`,
      };

const flagSpec = ({ form, value, describe, choices, joins = form === 'list' }: MemberFlag): OptionSpec => ({
  type: form === 'yes' ? 'boolean' : 'string',
  describe,
  ...(value !== undefined && { value }),
  ...(form === 'choice' && { choices: ['yes', 'no'] }),
  ...(form === 'pair' && { many: true }),
  ...(joins && { joins }),
  ...(choices !== undefined && { choices }),
});

/** Returns the names in the braces of a route. */
export const namesIn = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Creates the specification of a command line from the command's row. */
export const toSpec = (name: string, { summary, route, flags = {}, file, alone, notes }: ApiCommand): CommandSpec => {
  const names = namesIn(route).map((each) => each.toUpperCase());
  const files = file === undefined ? [] : [file.optional === true ? `[${file.name}]` : file.name];
  const max = names.length + files.length;
  return {
    name,
    summary,
    positionals: [...names, ...files].join(' '),
    takes: { min: file?.optional === true ? max - 1 : max, max },
    options: {
      ...Object.fromEntries(Object.entries(flags).map(([flag, each]) => [flag, flagSpec(each)])),
      format: toFormatFlag(alone),
      ...accessFlags,
    },
    examples: [`${name} ${lookUp(exampleArguments, name.replace(/^gw /, '')) ?? ''}`.trimEnd()],
    notes: [
      ...(notes === undefined ? [] : [notes]),
      ...(file?.example === undefined ? [] : [`A whole FILE: ${file.example}`]),
      ...(notes === undefined ? [] : ['']),
      accessNotes,
    ].join('\n'),
  };
};

type Environment = ControlServices['env'];

/** The form of a flag's text. */
interface Form {
  /** Parses the text; undefined if it has another form. */
  readonly read: (text: string, env: Environment) => Json | undefined;
  /** Describes what is wrong with a text of another form. */
  readonly error?: (flag: string, text: string, example: string) => readonly [fact: string, hint: string];
}

/** A date without a time is its start in UTC. */
const toSeconds = (text: string): number | undefined => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  return isDateTime(time) ? Math.floor(Date.parse(time) / 1000) : undefined;
};

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const toMilliseconds = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
};

const noTime = (flag: string, more = ''): readonly [string, string] => [
  `The flag --${flag} is not a time.`,
  `Write it as RFC 3339 does: --${flag} 2030-01-31T12:00:00Z, or only the day for its start in UTC: --${flag} 2030-01-31${more}.`,
];

/** Names of variables that cannot be mistaken for secrets: capital letters, and digits only beside an underscore. */
const plainVariable = /^(?:[A-Z]{1,24}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/;

const duration = {
  read: toMilliseconds,
  error: (flag: string) => [
    `The flag --${flag} is not a duration.`,
    `Write minutes, hours or days: --${flag} 30m, 2h or 7d.`,
  ],
} satisfies Form;

/** A time, or how long ago it was. */
const since: Form = {
  read: (text) => {
    const ago = toMilliseconds(text);
    return ago === undefined ? toSeconds(text) : Math.floor((Date.now() - ago) / 1000);
  },
  error: (flag, text) =>
    /^\d+[a-z]$/.test(text) ? duration.error(flag) : noTime(flag, `, or how long ago it was: --${flag} 2h`),
};

const forms: { readonly [Name in Exclude<FlagForm, 'yes'>]: Form } = {
  text: { read: (text) => text },
  list: { read: (text) => text.split(',').flatMap((part) => part.trim() || []) },
  choice: { read: (text) => text === 'yes' },
  number: {
    read: (text) => (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
    error: (flag, _text, example) => [
      `The flag --${flag} is not an integer.`,
      `Write --${flag} ${example}, for example.`,
    ],
  },
  decimal: {
    read: (text) => (/^\d+(?:\.\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
    error: (flag) => [`The flag --${flag} is not a number.`, `Write --${flag} 12.50, for example.`],
  },
  time: { read: toSeconds, error: (flag) => noTime(flag) },
  since,
  duration,
  variable: {
    read: (text, env) => env[text] || undefined,
    error: (flag, text) => {
      // A text that does not look like the name of a variable may be the secret itself, and is not shown.
      const isName = plainVariable.test(text) && text.length <= 64;
      return [
        isName
          ? `The variable ${text} that --${flag} names is not set.`
          : `The variable that --${flag} names is not set.`,
        isName
          ? `Set it: export ${text}=…`
          : 'The flag takes the name of an environment variable, not the secret itself.',
      ];
    },
  },
  pair: {
    read: (text) => {
      const at = text.indexOf('=');
      return at > 0 ? { [text.slice(0, at)]: text.slice(at + 1) } : undefined;
    },
    error: (flag) => [`The flag --${flag} must be a name and a text.`, `Write --${flag} NAME=TEXT.`],
  },
};

/** Merges objects. If both have a member, objects are merged, and otherwise the second value wins. */
export const joined = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([member, value]) => {
      const before = Object.hasOwn(first, member) ? first[member] : undefined;
      return [member, isJsonObject(before) && isJsonObject(value) ? joined(before, value) : value];
    }),
  ),
});

/** Returns the path of the member that a flag sets, in its part of the request. */
export const toFlagPath = (flag: string, { member = flag }: MemberFlag): readonly string[] => member.split('/');

const nested = (way: readonly string[], value: Json): JsonObject =>
  way.toReversed().reduce<Json>((inner, member) => ({ [member]: inner }), value) as JsonObject;

const memberValue = (
  flag: string,
  { form = 'text', none, example = 1 }: MemberFlag,
  given: string,
  env: Environment,
): Json => {
  if (none !== undefined && given === none) return null;
  if (form === 'yes') return true;
  const { read, error = () => [`The value of the flag --${flag} is invalid.`, ''] as const } = forms[form];
  const value = read(given, env);
  if (value !== undefined) return value;
  throw usageFailure(...error(flag, given, String(example)));
};

/** Reads the members of a request from flags. Throws a `CommandFailure` if a text does not have the form of its flag. */
export const flagMembers = (
  flags: MemberFlags,
  values: FlagValues,
  env: Environment,
): {
  readonly body: JsonObject;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
} => {
  const given = Object.entries(flags).flatMap(([flag, spec]) =>
    [values[flag] ?? []].flat().map((text) => ({
      part: spec.in ?? 'body',
      way: toFlagPath(flag, spec),
      value: memberValue(flag, spec, String(text), env),
    })),
  );
  const texts = (part: 'query' | 'header'): Readonly<Record<string, string>> =>
    Object.fromEntries(
      given
        .filter((each) => each.part === part)
        .flatMap(({ way, value }) =>
          isJsonObject(value)
            ? Object.entries(value).map(([name, text]) => [`${way.join('/')}.${name}`, String(text)])
            : [[way.join('/'), String(value)]],
        ),
    );
  return {
    body: given
      .filter(({ part }) => part === 'body')
      .reduce((all, { way, value }) => joined(all, nested(way, value)), {} as JsonObject),
    query: texts('query'),
    headers: texts('header'),
  };
};
