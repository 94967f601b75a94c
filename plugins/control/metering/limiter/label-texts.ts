import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LedgerEntry } from '../ledger/record/entry.ts';

const isLabel = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const areTexts = (metadata: JsonObject): metadata is LedgerEntry['metadata'] => {
  for (const name in metadata) if (typeof metadata[name] !== 'string') return false;
  return true;
};

/** Metadata as the ledger has it: what is no label is left out. */
export const labelTexts = (metadata: JsonObject): LedgerEntry['metadata'] => {
  if (areTexts(metadata)) return metadata;
  const labels = Object.entries(metadata).filter(([, value]) => isLabel(value));
  return Object.fromEntries(labels.map(([name, value]) => [name, String(value)]));
};
