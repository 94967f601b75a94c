import type { SavedConfig, SavedConfigVersion } from '../../../../schema/config/saved-names.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { type CommandFailure, failed, unusable } from '../command-line/services.ts';
import { type StoreReader, unknownName } from './store-reader.ts';

/** Texts of configs are long. */
const pageSize = 20;
/** A config has a thousand versions at most. */
const maxPages = 50;
/** The longest time that a gateway takes to see a change, in seconds. */
const followingS = 1;
/** A version in service, and those around it. */
const maxCandidates = 3;

const toPath = (name: string): string => `/configs/${encodeURIComponent(name)}`;

const notRead = ({ origin }: StoreReader, name: string, why: string): CommandFailure =>
  failed(`The config "${name}" could not be read at ${origin}.`, why);

const unknownConfig = async (reader: StoreReader, name: string): Promise<CommandFailure> => {
  const listed = await reader.list('/configs');
  const { names } = unknownName(listed.kind === 'read' ? listed.items : []);
  const near = closestName(name, names);
  return unusable(
    `There is no config "${name}" in the store of ${reader.origin}.`,
    near === undefined
      ? 'gw configs list shows what there is. A config that a request brought, or that a gateway file has, is named by a file: gw explain FILE.'
      : `Did you mean "${near}"?`,
  );
};

/** Reads the config that a slug or an id names, with the version in service. Rejects with a `CommandFailure`. */
export const readConfig = async (reader: StoreReader, name: string): Promise<SavedConfig> => {
  const answer = await reader.read(toPath(name));
  if (answer.kind === 'unread') throw notRead(reader, name, answer.why);
  if (answer.kind === 'none') throw await unknownConfig(reader, name);
  const { slug, version, config } = answer.value;
  return {
    slug: findText(slug) ?? name,
    inService: { number: findNumber(version) ?? 0, config: findObject(config) ?? {} },
  };
};

const toVersion = ({ version, config }: JsonObject): SavedConfigVersion => ({
  number: findNumber(version) ?? 0,
  config: parseObject(findText(config) ?? '') ?? {},
});

/**
 * Reads the versions of a config that may have been in service at a time (seconds since the epoch), the most likely first.
 * Rejects with a `CommandFailure`.
 */
export const readVersionsAt = async (
  reader: StoreReader,
  slug: string,
  time: number,
): Promise<readonly SavedConfigVersion[]> => {
  const isBefore = ({ created_at: at }: JsonObject, end: number): boolean => (findNumber(at) ?? 0) <= end;
  const candidates: JsonObject[] = [];
  for (let page = 0; page < maxPages && candidates.length < maxCandidates; page += 1) {
    const query = { page_size: String(pageSize), current_page: String(page) };
    const answer = await reader.read(`${toPath(slug)}/versions`, query);
    if (answer.kind === 'unread') throw notRead(reader, slug, answer.why);
    const found = answer.kind === 'read' ? toObjects(answer.value.data) : [];
    candidates.push(...found.filter((version) => isBefore(version, time + followingS)));
    if (found.length < pageSize) break;
  }
  const { before = [], after = [] } = Object.groupBy(candidates.slice(0, maxCandidates), (version) =>
    isBefore(version, time) ? 'before' : 'after',
  );
  return [...before, ...after].map(toVersion);
};
