import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../../../schema/json/json.ts';

/** The labels in a JSON text of the ledger. */
export const parsedLabels = (text: string): Readonly<Record<string, string>> => {
  const value: unknown = fromJson(text);
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};
