import { isJsonObject } from '../../../../../schema/json/json.ts';
import { findText, toObjects, toTexts } from '../../../../../schema/json/loose.ts';
import { toKey } from '../kinds/kind.ts';
import { type ApplyApi, mapRequests } from './api.ts';
import type { StoredRecord } from './read-store.ts';

type Exported = StoredRecord & { readonly handle: string };

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Returns why no file can describe a record; undefined if one can. */
const findReason = ({ kind, body, whole }: Exported, isShared: boolean): string | undefined => {
  if (kind.byName && (findText(body.name) ?? '') === '') return 'has no name, so it could not be found again';
  if (isShared) return 'has the same name as another, so neither could be found again';
  if (typeof body.expires_at === 'number' && body.expires_at <= nowSeconds())
    return 'has expired, and cannot be created again';
  return whole.status === 'archived' ? 'is archived' : undefined;
};

/** Lists what the file of a record cannot express. */
const findLosses = async ({ kind, place, id, whole }: Exported, api: ApplyApi): Promise<readonly string[]> => {
  if (kind.folder === 'keys' && toTexts(whole.shares_limits_of).length > 0)
    return ['shares the limits of the keys that created it'];
  const limits = isJsonObject(whole.usage_limits) ? whole.usage_limits : whole;
  const days = typeof limits.periodic_reset_days === 'number' ? ['restarts its period when it is applied'] : [];
  if (kind.folder !== 'prompts') return days;
  const versions = await api.list(`${kind.path}/${id}/versions`, place);
  return toObjects(versions).flatMap(({ labels, version, is_published }) =>
    is_published === true
      ? []
      : toTexts(labels).map((label) => `has the label "${label}" at version ${version}, which is not published`),
  );
};

/** Divides records into those that files can describe, and sentences about what they cannot express. */
export const notExported = async (
  records: readonly Exported[],
  api: ApplyApi,
): Promise<{ readonly kept: readonly Exported[]; readonly left: readonly string[] }> => {
  const names = Map.groupBy(records, ({ kind, place, name }) => toKey(kind, place, name));
  const kept: Exported[] = [];
  const found = await mapRequests(records, async (each): Promise<readonly string[]> => {
    const { kind, place, name, id, handle } = each;
    const isShared = kind.byName && (names.get(toKey(kind, place, name))?.length ?? 0) > 1;
    const reason = findReason(each, isShared);
    const title = `${toKey(kind, place, handle)} (${id})`;
    if (reason !== undefined) return [`${title} ${reason}`];
    kept.push(each);
    return (await findLosses(each, api)).map((loss) => `${title} ${loss}`);
  });
  return { kept, left: found.flat().sort() };
};
