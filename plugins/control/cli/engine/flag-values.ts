import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { isDateTime } from '../../../sdk/parameters/text-formats.ts';
import type { ApiCommand, FlagForm, FlagSpec, MemberFlag, MemberFlags } from '../../kernel/resource/api-command.ts';
import { accessFlags, accessNotes } from '../client/gateway-access.ts';
import { type CommandSpec, type ControlServices, type FlagValues, unusable } from '../command-line/services.ts';

const formatFlag = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or the JSON that the gateway answers.',
} as const;

const flagSpec = ({ form, value, describe, choices }: MemberFlag): FlagSpec => ({
  type: form === 'yes' ? 'boolean' : 'string',
  describe,
  ...(value !== undefined && { value }),
  ...(form === 'choice' && { choices: ['yes', 'no'] }),
  ...(form === 'pair' && { many: true }),
  ...(choices !== undefined && { choices }),
});

/** The names in the braces of a route. */
export const namesIn = (route: string): readonly string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The command line of a command, from its row. */
export const toSpec = (name: string, { summary, route, flags = {}, file, notes }: ApiCommand): CommandSpec => {
  const names = namesIn(route).map((each) => each.toUpperCase());
  const files = file === undefined ? [] : [file.optional === true ? `[${file.name}]` : file.name];
  const most = names.length + files.length;
  return {
    name,
    summary,
    positionals: [...names, ...files].join(' '),
    takes: { least: file?.optional === true ? most - 1 : most, most },
    options: {
      ...Object.fromEntries(Object.entries(flags).map(([flag, each]) => [flag, flagSpec(each)])),
      format: formatFlag,
      ...accessFlags,
    },
    notes: [...(notes === undefined ? [] : [notes, '']), accessNotes].join('\n'),
  };
};

type Environment = ControlServices['env'];

interface Given {
  readonly flag: string;
  readonly text: string;
  readonly env: Environment;
}

const wholeNumber = ({ flag, text }: Given): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw unusable(`The flag --${flag} is no whole number.`, `Write --${flag} 1, for example.`);
};

const decimal = ({ flag, text }: Given): number => {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && Number.isFinite(value)) return value;
  throw unusable(`The flag --${flag} is no number.`, `Write --${flag} 12.50, for example.`);
};

const noTime = (flag: string, more = ''): Error =>
  unusable(`The flag --${flag} is no time.`, `Write it as RFC 3339 does: --${flag} 2030-01-31T12:00:00Z${more}.`);

const seconds = ({ flag, text }: Given): number => {
  if (isDateTime(text)) return Math.floor(Date.parse(text) / 1000);
  throw noTime(flag);
};

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const milliseconds = ({ flag, text }: Given): number => {
  const [, count, unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (units[unit] ?? 0);
  throw unusable(`The flag --${flag} is no length of time.`, `Write minutes, hours or days: --${flag} 30m, 2h or 7d.`);
};

/** A time, or how long ago it was. */
const since = (given: Given): number => {
  if (/^\d+[a-z]$/.test(given.text)) return Math.floor((Date.now() - milliseconds(given)) / 1000);
  if (isDateTime(given.text)) return seconds(given);
  throw noTime(given.flag, `, or how long ago it was: --${given.flag} 2h`);
};

const variable = ({ flag, text, env }: Given): string => {
  const value = env[text];
  if (value !== undefined && value !== '') return value;
  throw unusable(
    `The variable that --${flag} names is not set.`,
    'The flag takes the name of a variable of the environment, and not the secret itself.',
  );
};

const pair = ({ flag, text }: Given): JsonObject => {
  const at = text.indexOf('=');
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) };
  throw unusable(`The flag --${flag} is no name and text.`, `Write --${flag} NAME=TEXT.`);
};

const forms: { readonly [Form in Exclude<FlagForm, 'yes'>]: (given: Given) => Json } = {
  text: ({ text }) => text,
  list: ({ text }) => text.split(',').flatMap((part) => part.trim() || []),
  number: wholeNumber,
  decimal,
  time: seconds,
  since,
  duration: milliseconds,
  variable,
  pair,
  choice: ({ text }) => text === 'yes',
};

/** What objects have together; of what both have, objects are joined, and else the second counts. */
export const joined = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([member, value]) => {
      const before = Object.hasOwn(first, member) ? first[member] : undefined;
      return [member, isJsonObject(before) && isJsonObject(value) ? joined(before, value) : value];
    }),
  ),
});

/** The parts of the way to the member that a flag is, in its part of the request. */
export const toFlagPath = (flag: string, { member = flag }: MemberFlag): readonly string[] => member.split('/');

const nested = (way: readonly string[], value: Json): JsonObject =>
  way.toReversed().reduce<Json>((inner, member) => ({ [member]: inner }), value) as JsonObject;

const memberValue = ({ form = 'text', none }: MemberFlag, given: Given): Json => {
  if (none !== undefined && given.text === none) return null;
  return form === 'yes' ? true : forms[form](given);
};

/** What flags give of a request. */
interface FlagMembers {
  readonly body: JsonObject;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The members of a request that flags give. Throws a `CommandFailure` for a text that is not what its flag takes. */
export const flagMembers = (flags: MemberFlags, values: FlagValues, env: Environment): FlagMembers => {
  const given = Object.entries(flags).flatMap(([flag, spec]) =>
    [values[flag] ?? []].flat().map((text) => ({
      part: spec.in ?? 'body',
      way: toFlagPath(flag, spec),
      value: memberValue(spec, { flag, text: String(text), env }),
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
