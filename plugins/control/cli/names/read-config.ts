import type { SavedConfig, SavedConfigVersion } from '../../../../schema/config/saved-names.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { type CommandFailure, failed, unusable } from '../command-line/services.ts';
import { objectMember, type StoreReader, textMember, unknownName } from './store-reader.ts';

/** Texts of configs are long. */
const pageSize = 20;
/** A config has a thousand versions at most. */
const maxPages = 50;
/** As long as a gateway may take to see a change, in seconds. */
const followingS = 1;
/** A version in service, and those around it. */
const maxCandidates = 3;

const toPath = (name: string): string => `/configs/${encodeURIComponent(name)}`;

const numberMember = (value: JsonObject, member: string): number =>
  typeof value[member] === 'number' ? value[member] : 0;

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

/** The config that a slug or an id names, with the version in service. Rejects with a `CommandFailure`. */
export const readConfig = async (reader: StoreReader, name: string): Promise<SavedConfig> => {
  const answer = await reader.read(toPath(name));
  if (answer.kind === 'unread') throw notRead(reader, name, answer.why);
  if (answer.kind === 'none') throw await unknownConfig(reader, name);
  const { value } = answer;
  return {
    slug: textMember(value, 'slug') ?? name,
    inService: { number: numberMember(value, 'version'), config: objectMember(value, 'config') },
  };
};

interface Dated {
  readonly version: SavedConfigVersion;
  readonly createdAt: number;
}

const toDated = (value: JsonObject): Dated => ({
  version: {
    number: numberMember(value, 'version'),
    config: parseObject(textMember(value, 'config') ?? '') ?? {},
  },
  createdAt: numberMember(value, 'created_at'),
});

/**
 * The versions of a config that may have been in service at a time (seconds since the epoch), the most likely first. Rejects
 * with a `CommandFailure`.
 */
export const readVersionsAt = async (
  reader: StoreReader,
  slug: string,
  time: number,
): Promise<readonly SavedConfigVersion[]> => {
  const candidates: Dated[] = [];
  for (let page = 0; page < maxPages && candidates.length < maxCandidates; page += 1) {
    const query = { page_size: String(pageSize), current_page: String(page) };
    const answer = await reader.read(`${toPath(slug)}/versions`, query);
    if (answer.kind === 'unread') throw notRead(reader, slug, answer.why);
    const { data } = answer.kind === 'read' ? answer.value : {};
    const found = Array.isArray(data) ? data.flatMap((each) => (isJsonObject(each) ? [toDated(each)] : [])) : [];
    candidates.push(...found.filter(({ createdAt }) => createdAt <= time + followingS));
    if (found.length < pageSize) break;
  }
  const near = candidates.slice(0, maxCandidates);
  const before = near.filter(({ createdAt }) => createdAt <= time);
  return [...before, ...near.filter((each) => !before.includes(each))].map(({ version }) => version);
};
