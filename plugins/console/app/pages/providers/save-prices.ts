import { changedMembers } from '../../api/changed-members.ts';
import { membersOfBoth, putTagged, RecordConflict, readRecord, untilSaved } from '../../api/saved-record.ts';
import { type IntegrationModels, noPrices, type PriceFields, toPriceFields, withPrices } from './prices.ts';

export interface PriceChange {
  readonly slug: string;
  readonly fields: PriceFields;
  /** The fields as they were when the form opened. */
  readonly before: PriceFields;
  /** The stored prices that the user has seen. */
  readonly seen: object;
}

/**
 * Saves the edited prices of a model. The route replaces the whole list, but other changes that others made in the meantime are
 * kept. Throws a `RecordConflict` if they have changed the same prices.
 */
export const savePrices = async (path: string, { slug, fields, before, seen }: PriceChange): Promise<void> => {
  const changes = changedMembers(fields, before);
  await untilSaved(async () => {
    const { item, etag } = await readRecord<IntegrationModels>(path);
    const model = item.models.find((each) => each.slug === slug);
    const stored = model === undefined ? noPrices : toPriceFields(model);
    const members = membersOfBoth(changes, seen, stored);
    if (Object.keys(members).length > 0) throw new RecordConflict({ item: stored, etag }, members);
    const models = withPrices(item.models, slug, { ...stored, ...changes });
    await putTagged(path, { models }, etag);
  });
};
