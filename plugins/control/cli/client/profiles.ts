import { open } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { unusable } from '../command-line/command-failure.ts';

/** A gateway and a key of it, under a name of the user's. */
export interface Profile {
  readonly url: string;
  readonly key?: string;
  readonly workspace?: string;
}

const example = '{ "default": { "url": "https://gateway.example.com", "key": "gw-…" } }';

/** Where the profiles of a user are. */
export const profilesFile = (home: string): string => path.join(home, '.config', 'gatewright', 'profiles.json');

/** The text of a file that only its owner may read; undefined if there is none. */
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

/** Whether there is a profile that is used where none is named. Rejects with a `CommandFailure` for a file that others can read. */
export const hasDefaultProfile = async (file: string): Promise<boolean> =>
  Object.hasOwn((await readProfiles(file)) ?? {}, 'default');

/**
 * The profile of a name; without a name the one called `default`, or undefined where there are no profiles at all. Throws a
 * `CommandFailure` for a name that is not there, and for a file that others can read.
 */
export const readProfile = async (file: string, name: string | undefined): Promise<Profile | undefined> => {
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
