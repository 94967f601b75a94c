import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { RefusalError } from '../client/ask-gateway.ts';
import { type ControlPlane, callApi } from '../client/control-plane.ts';
import { CommandFailure } from '../command-line/services.ts';
import { commandsByPath } from './commands-in-hints.ts';
import { printable } from './texts.ts';

/** Reads one page of the records at a path; undefined if they cannot be read. */
export const tryRecords = async (
  plane: ControlPlane,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly JsonObject[] | undefined> => {
  try {
    const answer = await callApi(plane, { method: 'GET', path, query: { ...query, page_size: '1000' } });
    return isJsonObject(answer) ? toObjects(answer.data) : [];
  } catch (error) {
    if (error instanceof RefusalError || error instanceof CommandFailure) return undefined;
    throw error;
  }
};

/** Like `tryRecords`, but empty if they cannot be read. */
export const readRecords = async (...asked: Parameters<typeof tryRecords>): Promise<readonly JsonObject[]> =>
  (await tryRecords(...asked)) ?? [];

/** Checks whether one of the records has a name as its slug or its id. */
export const isNamed = (records: readonly JsonObject[], written: string): boolean =>
  records.some(({ slug, id }) => slug === written || id === written);

/** Finds the slug, or else the id, of the record that was most likely meant; undefined if none is similar. */
export const nearestOf = (records: readonly JsonObject[], written: string): string | undefined => {
  const nearest = closestName(
    written,
    records.flatMap(({ slug, id }) => findText(slug) ?? findText(id) ?? []),
  );
  return nearest && printable(nearest);
};

/**
 * Finds the record that was most likely meant by the first name in the path of a route, by its slug or else its id. Undefined if
 * its resource has no list, if the list cannot be read or contains that name, and if no name is similar.
 */
export const nearestRecord = async (
  plane: ControlPlane,
  route: string,
  names: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const [, path = '', member = ''] = /^\w+ \/([\w/-]+)\/\{(\w+)\}/.exec(route) ?? [];
  const written = names[member];
  if (written === undefined || lookUp(commandsByPath, path) === undefined) return undefined;
  const records = await readRecords(plane, `/${path}`);
  return isNamed(records, written) ? undefined : nearestOf(records, written);
};
