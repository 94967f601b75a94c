import type { JsonObject } from '../../../../schema/json/json.ts';
import { storedText } from '../../kernel/store/rows/storable.ts';

const longestName = 128;
const longestValue = 256;
const maxLabels = 64;

/** The labels of a request as texts that can be looked for. Names and values are cut where they are too long. */
export const readLabels = (metadata: JsonObject): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(metadata)
      .slice(0, maxLabels)
      .map(([name, value]) => [
        storedText(name.slice(0, longestName)),
        storedText((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longestValue)),
      ]),
  );
