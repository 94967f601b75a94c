import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Unit } from '../../../kernel/limits/limit-policy.ts';
import type { PostedCharge, Posting } from '../../ledger/record/posting.ts';

const isUnit = (text: unknown): text is Unit => text === 'requests' || text === 'tokens' || text === 'nanoUsd';

const isText = (value: unknown): value is string => typeof value === 'string';

const toCharge = (value: unknown): PostedCharge | undefined => {
  if (!Array.isArray(value) || !value.every(isText)) return undefined;
  const [policy, bucket, unit, amount, window] = value;
  if (policy === undefined || bucket === undefined || !isUnit(unit)) return undefined;
  return { policy, bucket, unit, amount: Number(amount), window: Number(window) };
};

/** The posting in a text of the stream: its id, what it corrects, its charges and its entry; undefined if it is none, whoever wrote it. */
export const toPosting = <Entry>(
  text: string,
  readEntry: (value: unknown) => Entry | undefined,
): Posting<Entry> | undefined => {
  try {
    const listed: unknown = fromJson(text);
    if (!Array.isArray(listed) || listed.length < 3) return undefined;
    const [id, corrects, ...rest]: readonly unknown[] = listed;
    const entry = readEntry(rest.pop());
    if (!isText(id) || !isText(corrects) || entry === undefined) return undefined;
    const charges = rest.map(toCharge).filter((charge) => charge !== undefined);
    if (charges.length < rest.length) return undefined;
    return { id, charges, entry, ...(corrects === '' ? {} : { corrects }) };
  } catch {
    return undefined;
  }
};
