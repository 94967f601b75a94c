import type { Json, JsonObject } from '../../../../schema/json.ts';
import { unusable } from '../command-failure.ts';
import type { ControlServices, FlagValues } from '../services.ts';
import type { FlagForm, MemberFlag } from './resource.ts';

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

/** To the second at least, and with its offset, so that it is the same everywhere. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

const seconds = ({ flag, text }: Given): number => {
  const ms = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  throw unusable(`The flag --${flag} is no time.`, `Write it as RFC 3339 does: --${flag} 2030-01-31T12:00:00Z.`);
};

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const milliseconds = ({ flag, text }: Given): number => {
  const [, count, unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (units[unit] ?? 0);
  throw unusable(`The flag --${flag} is no length of time.`, `Write minutes, hours or days: --${flag} 30m, 2h or 7d.`);
};

const variable = ({ flag, text, env }: Given): string => {
  const value = env[text];
  if (value !== undefined && value !== '') return value;
  throw unusable(
    `The variable that --${flag} names is not set.`,
    'The flag takes the name of a variable of the environment, and not the secret itself.',
  );
};

const forms: { readonly [Form in Exclude<FlagForm, 'yes'>]: (given: Given) => Json } = {
  text: ({ text }) => text,
  list: ({ text }) => text.split(',').flatMap((part) => part.trim() || []),
  number: wholeNumber,
  time: seconds,
  duration: milliseconds,
  variable,
};

/** The members of a request that flags give. Throws a `CommandFailure` for a text that is not what its flag takes. */
export const flagMembers = (
  flags: Readonly<Record<string, MemberFlag>>,
  values: FlagValues,
  env: Environment,
): { readonly body: JsonObject; readonly query: Readonly<Record<string, string>> } => {
  const given = Object.entries(flags).flatMap(([flag, { form, in: part, member }]) => {
    const text = values[flag];
    if (text === undefined || text === false) return [];
    const value = form === 'yes' || text === true ? true : forms[form]({ flag, text, env });
    return [{ part, member, value }];
  });
  const of = (part: MemberFlag['in']) => given.filter((each) => each.part === part);
  return {
    body: Object.fromEntries(of('body').map(({ member, value }) => [member, value])),
    query: Object.fromEntries(of('query').map(({ member, value }) => [member, String(value)])),
  };
};
