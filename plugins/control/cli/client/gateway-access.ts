import { open } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import type { FlagSpec } from '../../kernel/resource/api-command.ts';
import { type ControlServices, type FlagValues, findFlagText, unusable } from '../command-line/services.ts';

/** A gateway and a key of it, under a name of the user's. */
interface Profile {
  readonly url: string;
  readonly key?: string;
  readonly workspace?: string;
}

const example = '{ "default": { "url": "https://gateway.example.com", "key": "gw-…" } }';

/** Names the file of the profiles of a user. */
const profilesFile = (home: string): string => path.join(home, '.config', 'gatewright', 'profiles.json');

/** Reads the text of a file that only its owner may read; undefined if it does not exist. */
const readPrivate = async (file: string): Promise<string | undefined> => {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw unusable(`The profiles in ${file} cannot be read (${errorCode(error)}).`, 'Check its permissions.');
  });
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw unusable(`${file} is not a file.`, `Write profiles into it, such as ${example}.`);
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0)
      throw unusable(
        `The profiles in ${file} have keys, and the file is open to others than its owner.`,
        `Run: chmod 600 ${file}`,
      );
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

const members = ['url', 'key', 'workspace'] as const;

const toProfile = (value: Json, where: string): Profile => {
  const hint = `Write profiles as ${example}.`;
  if (!isJsonObject(value)) throw unusable(`${where} is not an object.`, hint);
  const other = Object.keys(value).find((name) => !members.some((member) => member === name));
  if (other !== undefined) {
    const closest = closestName(other, members);
    throw unusable(
      `${where} has a member "${other}", which profiles do not have.`,
      closest === undefined ? hint : `Did you mean "${closest}"?`,
    );
  }
  const { url, key, workspace } = value;
  const wrong = members.find((name) => value[name] !== undefined && typeof value[name] !== 'string');
  if (wrong !== undefined) throw unusable(`${where} has a member "${wrong}" that is not a text.`, hint);
  if (typeof url !== 'string') throw unusable(`${where} has no "url".`, hint);
  return {
    url,
    ...(typeof key === 'string' && { key }),
    ...(typeof workspace === 'string' && { workspace }),
  };
};

const readProfiles = async (file: string): Promise<JsonObject | undefined> => {
  const text = await readPrivate(file);
  if (text === undefined) return undefined;
  const profiles = parseJson(text);
  if (!isJsonObject(profiles)) throw unusable(`${file} is not a JSON object.`, `Write profiles as ${example}.`);
  return profiles;
};

/** Looks for the profile that is used where none is named. Rejects with a `CommandFailure` for a file that others can read. */
const hasDefaultProfile = async (file: string): Promise<boolean> =>
  Object.hasOwn((await readProfiles(file)) ?? {}, 'default');

/**
 * The profile of a name; without a name the one called `default`, or undefined where there are no profiles at all. Throws a
 * `CommandFailure` for a name that is not there, and for a file that others can read.
 */
const readProfile = async (file: string, name: string | undefined): Promise<Profile | undefined> => {
  const profiles = await readProfiles(file);
  if (profiles === undefined) {
    if (name === undefined) return undefined;
    throw unusable(`There is no file ${file}, where the profile "${name}" would be.`, `Write it as ${example}.`);
  }
  const wanted = name ?? 'default';
  const value = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  if (value !== undefined) return toProfile(value, `The profile "${wanted}" in ${file}`);
  const closest = closestName(wanted, Object.keys(profiles));
  const names = Object.keys(profiles).map((each) => `"${each}"`);
  throw unusable(
    `There is no profile "${wanted}" in ${file}.`,
    closest !== undefined
      ? `Did you mean --profile ${closest}?`
      : names.length === 0
        ? `Write profiles as ${example}.`
        : `Name one of its profiles with --profile: ${names.join(', ')}.`,
  );
};

/** Makes what comes before the path of a control route: `http://127.0.0.1:8787/v1`. `from` says whose the text is. */
const baseUrl = (text: string, from: string): string => {
  const hint = 'Write it as http://127.0.0.1:8787 or https://gateway.example.com.';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw unusable(`${from} is not the URL of a gateway.`, hint);
  if (url.username !== '' || url.password !== '')
    throw unusable(`${from} has a user or a password in it, which a gateway does not ask for.`, hint);
  if (url.search !== '' || url.hash !== '') throw unusable(`${from} has more than a host and a path.`, hint);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`;
};

/** The gateway that is asked, and the key and workspace of who asks. */
export interface GatewayAccess {
  /** Ends with `/v1`. */
  readonly base: string;
  readonly key: string | undefined;
  /** The id or slug of the workspace that a key of an organisation acts in. */
  readonly workspace: string | undefined;
}

/** The flags that each command of the API has. */
export const accessFlags: { readonly [flag: string]: FlagSpec } = {
  url: {
    type: 'string',
    value: 'URL',
    describe: 'The gateway. Environment: GW_URL; http://127.0.0.1:8787 by default.',
  },
  profile: { type: 'string', value: 'NAME', describe: 'A gateway and a key of ~/.config/gatewright/profiles.json.' },
  workspace: { type: 'string', value: 'NAME', describe: 'The workspace that a key of an organisation acts in.' },
};

export const accessNotes: string = [
  'The service key is that of GW_API_KEY, or that of the profile. Without --profile and without these variables, the profile',
  '"default" is used where there is one.',
].join('\n');

const defaultUrl = 'http://127.0.0.1:8787';

const checkKey = (key: string | undefined, from: string): string | undefined => {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw unusable(
    `The key of ${from} has a character that a header cannot carry, such as a space or a line break.`,
    'Copy the key again, without anything around it.',
  );
};

const checkWorkspace = (workspace: string | undefined): string | undefined => {
  if (workspace === undefined || /^[\w-]+$/.test(workspace)) return workspace;
  throw unusable('Names of workspaces have letters, digits, - and _ only.', 'Correct --workspace, or the profile.');
};

/** A key of a profile goes to no other gateway than that of the profile. */
const ofProfile = (profile: Profile, url: string | undefined, name: string): Omit<GatewayAccess, 'workspace'> => {
  const base = baseUrl(profile.url, `The url of the profile "${name}"`);
  const asked = url === undefined ? base : baseUrl(url, '--url');
  if (profile.key !== undefined && new URL(asked).origin !== new URL(base).origin)
    throw unusable(
      `The profile "${name}" has a key for ${new URL(base).origin}, which is not sent to ${new URL(asked).origin}.`,
      'Set GW_API_KEY to a key of that gateway, or name another profile with --profile.',
    );
  return { base: asked, key: checkKey(profile.key, `the profile "${name}"`) };
};

/** A key on the command line can be read by every user of the machine, and stays in the history of the shell. */
export const refuseKeyFlag = (argv: readonly string[]): void => {
  const flag = argv.find((argument) => /^--(?:api-)?key(?:=|$)/.test(argument))?.replace(/=.*/s, '');
  if (flag !== undefined)
    throw unusable(
      `A service key is not given as ${flag}: others on this machine could read it.`,
      'Set GW_API_KEY, or write it into a profile.',
    );
};

/** Whether anything names the gateway to ask: a flag, the environment, or a profile that is used by default. */
export const isGatewaySet = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  { url, profile }: FlagValues,
): Promise<boolean> =>
  [url, profile, env.GW_URL || undefined, env.GW_API_KEY || undefined].some((value) => value !== undefined) ||
  hasDefaultProfile(profilesFile(home));

/**
 * Finds the gateway to ask: that of `--profile`; or else of the environment, if `GW_URL` or `GW_API_KEY` is set; or else of the
 * profile `default`. `--url` and `--workspace` replace those of any. Throws a `CommandFailure`.
 */
export const gatewayAccess = async (
  { env, home }: Pick<ControlServices, 'env' | 'home'>,
  values: FlagValues,
): Promise<GatewayAccess> => {
  const [url, name, workspace] = [values.url, values.profile, values.workspace].map(findFlagText);
  const [envUrl, envKey] = [env.GW_URL || undefined, env.GW_API_KEY || undefined];
  const isEnvironment = name === undefined && (envUrl !== undefined || envKey !== undefined);
  const profile = isEnvironment ? undefined : await readProfile(profilesFile(home), name);
  if (profile !== undefined)
    return { ...ofProfile(profile, url, name ?? 'default'), workspace: checkWorkspace(workspace ?? profile.workspace) };
  const base = url === undefined ? baseUrl(envUrl ?? defaultUrl, 'GW_URL') : baseUrl(url, '--url');
  return { base, key: checkKey(envKey, 'GW_API_KEY'), workspace: checkWorkspace(workspace) };
};
