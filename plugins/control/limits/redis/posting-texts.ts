import type { PostedCharge, Posting, Unit } from '../limits.ts';

/** A posting as the stream has it. */
export interface StreamedPosting {
  /** Its id in the stream. */
  readonly at: string;
  readonly id: string;
  /** Empty if it corrects nothing. */
  readonly corrects: string;
  readonly entry: string;
  readonly charges: string;
}

const fields = 5;

/** Postings from the texts that the script answers, five each. */
export const streamedPostings = (texts: readonly string[]): readonly StreamedPosting[] =>
  Array.from({ length: Math.floor(texts.length / fields) }, (_, index) => {
    const [at = '', id = '', corrects = '', entry = '', charges = ''] = texts.slice(index * fields);
    return { at, id, corrects, entry, charges };
  });

const isUnit = (text: unknown): text is Unit => text === 'requests' || text === 'tokens' || text === 'nanoUsd';

const isText = (value: unknown): value is string => typeof value === 'string';

const toCharge = (value: unknown): PostedCharge | undefined => {
  if (!Array.isArray(value) || !value.every(isText)) return undefined;
  const [policy, bucket, unit, amount, window] = value;
  if (policy === undefined || bucket === undefined || !isUnit(unit)) return undefined;
  return { policy, bucket, unit, amount: Number(amount), window: Number(window) };
};

/** The posting in a stream's texts; undefined if they are none, whoever wrote them. */
export const toPosting = <Entry>(
  { id, corrects, entry, charges }: StreamedPosting,
  readEntry: (value: unknown) => Entry | undefined,
): Posting<Entry> | undefined => {
  try {
    const listed: unknown = JSON.parse(charges);
    const read = readEntry(JSON.parse(entry));
    if (!Array.isArray(listed) || read === undefined) return undefined;
    const posted = listed.map(toCharge).filter((charge) => charge !== undefined);
    if (posted.length < listed.length) return undefined;
    return { id, charges: posted, entry: read, ...(corrects === '' ? {} : { corrects }) };
  } catch {
    return undefined;
  }
};
