import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, toObjects } from '../../../../schema/json/loose.ts';
import type { ItemNaming } from '../../../sdk/dialect/item-naming.ts';

const isAbsent = (value: Json | undefined): boolean => (value ?? null) === null;

/** As `decode-input.ts` reads it. */
const isReference = ({ type, role }: JsonObject): boolean =>
  type === 'item_reference' || (isAbsent(type) && isAbsent(role));

/** Unless a request says that nothing is to be stored, libraries name items of its answer by their ids. */
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
