import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { OptionSpec } from '../../../../schema/command-help/command-spec.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { closestName, suggestName } from '../../../../schema/text/closest-name.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { fileError, fileHint } from '../../../../schema/text/file-error.ts';
import {
  assertUsable,
  type ControlServices,
  type FlagValues,
  findFlagText,
  usageFailure,
} from '../command-line/services.ts';

/** A gateway and a key for it, under a name that the user chose. */
interface Profile {
  readonly url: string;
  readonly key: string | undefined;
  readonly workspace: string | undefined;
}

const example = '{ "default": { "url": "https://gateway.example.com", "key": "gw-…" } }';

const profileHint = `Write profiles as ${example}.`;

/** Returns the file with a user's profiles. */
const profilesFile = (home: string): string => path.join(home, '.config', 'gatewright', 'profiles.json');

/** Reads the profiles in a file that only its owner may read; undefined if it does not exist. Does not wait for a writer of a pipe. */
const readProfiles = async (file: string): Promise<JsonObject | undefined> => {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw usageFailure(`The profiles in ${file} cannot be read: ${fileError(error)}.`, fileHint(error));
  });
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat();
    assertUsable(status.isFile(), `${file} is not a file.`, `Write profiles into it, such as ${example}.`);
    assertUsable(
      process.platform === 'win32' || (status.mode & 0o077) === 0,
      `The profiles in ${file} have keys, but other users can read the file.`,
      `Run: chmod 600 ${file}`,
    );
    const profiles = parseJson(await handle.readFile('utf8'));
    assertUsable(isJsonObject(profiles), `${file} is not a JSON object.`, profileHint);
    return profiles;
  } finally {
    await handle.close();
  }
};

const members = ['url', 'key', 'workspace'];

/** The number of characters in a service key's id, which is a UUID. */
const idLength = 36;

const toProfile = (value: Json, where: string): Profile => {
  assertUsable(isJsonObject(value), `${where} is not an object.`, profileHint);
  const other = Object.keys(value).find((name) => !members.includes(name));
  if (other !== undefined)
    throw usageFailure(
      `${where} has a member "${other}", which profiles do not have.`,
      suggestName(other, members, profileHint),
    );
  const wrong = members.find((name) => value[name] !== undefined && typeof value[name] !== 'string');
  assertUsable(wrong === undefined, `${where} has a member "${wrong}" that is not a text.`, profileHint);
  assertUsable(value.url !== undefined, `${where} has no "url".`, profileHint);
  const [url = '', key, workspace] = [value.url, value.key, value.workspace].map(findText);
  return { url, key, workspace };
};

/**
 * Reads the profile with a name, or without a name the profile `default`; undefined if there are no profiles at all. Throws a
 * `CommandFailure` if there is none of the name, and for a file that others can read.
 */
const readProfile = async (file: string, name: string | undefined): Promise<Profile | undefined> => {
  const profiles = await readProfiles(file);
  if (profiles === undefined && name === undefined) return undefined;
  assertUsable(
    profiles !== undefined,
    `The profile "${name}" was not found, because there is no file ${file}.`,
    `Write it as ${example}.`,
  );
  const wanted = name ?? 'default';
  const value = lookUp(profiles, wanted);
  if (value !== undefined) return toProfile(value, `The profile "${wanted}" in ${file}`);
  const names = Object.keys(profiles);
  const closest = closestName(wanted, names);
  const listed = names.map((each) => `"${each}"`).join(', ');
  const known = listed === '' ? profileHint : `Name one of its profiles with --profile: ${listed}.`;
  throw usageFailure(
    `There is no profile "${wanted}" in ${file}.`,
    closest === undefined ? known : `Did you mean --profile ${closest}?`,
  );
};

/** Returns the prefix of the paths of control routes: `http://127.0.0.1:8787/v1`. `from` names the source of the text. */
const baseUrl = (text: string, from: string): string => {
  const hint = 'Write it as http://127.0.0.1:8787 or https://gateway.example.com.';
  const url = URL.parse(text);
  assertUsable(
    url !== null && (url.protocol === 'http:' || url.protocol === 'https:'),
    `${from} is not the URL of a gateway.`,
    hint,
  );
  assertUsable(
    url.username === '' && url.password === '',
    `${from} contains a user or a password, which gateways do not use.`,
    hint,
  );
  assertUsable(url.search === '' && url.hash === '', `${from} has more than a host and a path.`, hint);
  return `${url.origin}${url.pathname.replace(/(?:\/v1)?\/*$/, '')}/v1`;
};

/** A gateway, and the key and workspace of the caller. */
export interface GatewayAccess {
  /** The URL, which ends with `/v1`. */
  readonly base: string;
  readonly key: string | undefined;
  /** The id or slug of the workspace in which a key of an organisation acts. */
  readonly workspace: string | undefined;
}

/** The flags of all commands of the API. */
export const accessFlags: { readonly [flag: string]: OptionSpec } = {
  url: {
    type: 'string',
    value: 'URL',
    describe: 'The gateway. Environment: GW_URL; http://127.0.0.1:8787 by default.',
  },
  profile: { type: 'string', value: 'NAME', describe: 'A gateway and a key from ~/.config/gatewright/profiles.json.' },
  workspace: { type: 'string', value: 'NAME', describe: 'The workspace in which a key of an organisation acts.' },
};

export const accessNotes: string = [
  'The service key comes from GW_API_KEY or from the profile. Without --profile and without these variables, the profile',
  '"default" is used if there is one.',
].join('\n');

const defaultUrl = 'http://127.0.0.1:8787';

/** The key of a profile is sent only to the gateway of that profile. */
const ofProfile = (
  { url, key }: Profile,
  asked: string | undefined,
  name: string,
): Omit<GatewayAccess, 'workspace'> => {
  const own = baseUrl(url, `The url of the profile "${name}"`);
  const base = asked === undefined ? own : baseUrl(asked, '--url');
  const [from, to] = [new URL(own).origin, new URL(base).origin];
  assertUsable(
    key === undefined || to === from,
    `The profile "${name}" has a key for ${from}, which is not sent to ${to}.`,
    'Set GW_API_KEY to a key of that gateway, or name another profile with --profile.',
  );
  return { base, key };
};

/** Finds a flag that sets a service key, if there is one. If the command itself has the flag, its value is the id of a key. */
const keyFlag = (argv: readonly string[], own: readonly string[]): string | undefined => {
  for (const [at, argument] of argv.entries()) {
    const [, flag = '', value = argv[at + 1] ?? ''] = /^--((?:api-)?key)(?:=(.*))?$/s.exec(argument) ?? [];
    const isId = own.includes(flag) && value.length <= idLength && !value.startsWith('gw-');
    if (flag !== '' && !isId) return `--${flag}`;
  }
  return undefined;
};

/**
 * Rejects a key on the command line, where every user of the machine can read it and the shell's history stores it.
 *
 * @param own the names of the flags that the command has
 */
export const refuseKeyFlag = (argv: readonly string[], own: readonly string[] = []): void => {
  const flag = keyFlag(argv, own);
  const isProviders = own.includes('key-env');
  assertUsable(
    flag === undefined,
    `${isProviders ? "A provider's key" : 'A service key'} is not given as ${flag}: others on this machine could read it.`,
    isProviders
      ? 'Name the environment variable that has it: --key-env OPENAI_API_KEY.'
      : 'Set GW_API_KEY, or write it into a profile.',
  );
};

/** Checks whether anything names a gateway: a flag, the environment, or the default profile. */
export const isGatewaySet = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  { url, profile }: FlagValues,
): Promise<boolean> =>
  [url, profile, env.GW_URL || undefined, env.GW_API_KEY || undefined].some((value) => value !== undefined) ||
  Object.hasOwn((await readProfiles(profilesFile(home))) ?? {}, 'default');

/**
 * Finds the gateway: that of `--profile`, or else of the environment, if `GW_URL` or `GW_API_KEY` is set, or else of the profile
 * `default`. `--url` and `--workspace` override these. Throws a `CommandFailure`.
 */
export const gatewayAccess = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  values: FlagValues,
): Promise<GatewayAccess> => {
  const [url, name, workspace] = [values.url, values.profile, values.workspace].map(findFlagText);
  const [envUrl, envKey] = [env.GW_URL || undefined, env.GW_API_KEY || undefined];
  const isEnvironment = name === undefined && (envUrl !== undefined || envKey !== undefined);
  const profile = isEnvironment ? undefined : await readProfile(profilesFile(home), name);
  const used = name ?? 'default';
  const { base, key } =
    profile === undefined
      ? { base: url === undefined ? baseUrl(envUrl ?? defaultUrl, 'GW_URL') : baseUrl(url, '--url'), key: envKey }
      : ofProfile(profile, url, used);
  assertUsable(
    key === undefined || /^[\x21-\x7e]+$/.test(key),
    `The key of ${profile === undefined ? 'GW_API_KEY' : `the profile "${used}"`} has a character that is not allowed in a header, such as a space or a line break.`,
    'Copy the key again, without surrounding characters.',
  );
  const place = workspace ?? profile?.workspace;
  assertUsable(
    place === undefined || /^[\w-]+$/.test(place),
    'Workspace names may contain only letters, digits, - and _.',
    'Correct --workspace, or the profile.',
  );
  return { base, key, workspace: place };
};
