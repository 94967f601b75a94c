import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import type { ItemNaming } from '../../../sdk/dialect/item-naming.ts';

const isAbsent = (value: Json | undefined): boolean => (value ?? null) === null;

/** Whether an item is a reference, by the same rule as in `decode-input.ts`. */
const isReference = ({ type, role }: JsonObject): boolean =>
  type === 'item_reference' || (isAbsent(type) && isAbsent(role));

/** Libraries refer to items of an answer by their ids, unless the request set `store` to false. */
export const itemNaming: ItemNaming = {
  keeping: ({ store }) => {
    if (store === false) return 'refused';
    return store === true ? 'asked' : 'unsaid';
  },
  namedIn: ({ input }) =>
    Array.isArray(input)
      ? input.flatMap((item) =>
          isJsonObject(item) && isReference(item) && typeof item.id === 'string' ? [item.id] : [],
        )
      : [],
  itemsOf: ({ response, output }) => toObjects(findObject(response)?.output ?? output),
};
