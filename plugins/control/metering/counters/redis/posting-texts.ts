import { setImmediate } from 'node:timers/promises';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isTexts } from '../../../../../schema/json/json.ts';
import { sharedBytes } from '../../../../sdk/binary/shared-bytes.ts';
import { ownModule } from '../../../../sdk/loading/own-module.ts';
import type { Unit } from '../../../kernel/limits/limit-policy.ts';
import type { Store } from '../../../kernel/store/store.ts';
import type { PostedCharge, Posting, Postings } from '../../ledger/posting.ts';

const isUnit = (text: unknown): text is Unit => text === 'requests' || text === 'tokens' || text === 'nanoUsd';

const toCharge = (value: unknown): PostedCharge | undefined => {
  if (!isTexts(value)) return undefined;
  const [policy, bucket, unit, amount, window] = value;
  if (policy === undefined || bucket === undefined || !isUnit(unit)) return undefined;
  return { policy, bucket, unit, amount: Number(amount), window: Number(window) };
};

/**
 * Parses a posting from the stream: its id, what it corrects, its charges and its entry. Returns undefined if the text is not
 * valid, whoever wrote it.
 */
export const toPosting = <Entry>(
  text: string,
  readEntry: (value: unknown) => Entry | undefined,
): Posting<Entry> | undefined => {
  try {
    const listed: unknown = fromJson(text);
    if (!Array.isArray(listed) || listed.length < 3) return undefined;
    const [id, corrects, ...rest]: readonly unknown[] = listed;
    const entry = readEntry(rest.pop());
    if (typeof id !== 'string' || typeof corrects !== 'string' || entry === undefined) return undefined;
    const charges = rest.map(toCharge).filter((charge) => charge !== undefined);
    if (charges.length < rest.length) return undefined;
    return { id, charges, entry, ...(corrects === '' ? {} : { corrects }) };
  } catch {
    return undefined;
  }
};

/** How many postings are parsed in one turn of the event loop, so that requests do not wait for many of them. */
const readAtOnce = 32;

/** Parses postings, and omits texts that are not valid. */
const readPostings = async <Entry>(
  texts: readonly string[],
  readEntry: (value: unknown) => Entry | undefined,
): Promise<readonly Posting<Entry>[]> => {
  const postings: Posting<Entry>[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % readAtOnce === readAtOnce - 1) await setImmediate();
    const posting = toPosting(text, readEntry);
    if (posting !== undefined) postings.push(posting);
  }
  return postings;
};

/** Where postings from the stream are written. */
export interface PostedTexts<Entry> {
  /**
   * Writes the postings of a text, one per line, in another thread, so that requests do not wait until they are parsed. Rejects
   * without writing any if one of them cannot be read or written.
   */
  readonly writeLines?: ((lines: string) => Promise<void>) | undefined;
  /** Receives what `writeLines` has rejected, or everything if it is absent. */
  readonly postings: Postings<Entry>;
  /** Reads an entry that was written as JSON; returns undefined if it is not valid. */
  readonly readEntry: (value: unknown) => Entry | undefined;
}

/** Posts the postings of a text, one per line. Resolves with how many of them cannot be read. */
export const postLines = async <Entry>(
  { writeLines, postings, readEntry }: PostedTexts<Entry>,
  lines: string,
): Promise<number> => {
  const isWritten = await writeLines?.(lines).then(
    () => true,
    () => false,
  );
  if (isWritten === true) return 0;
  const texts = lines.split('\n');
  const batch = await readPostings(texts, readEntry);
  if (batch.length > 0) await postings.post(batch);
  return texts.length - batch.length;
};

const postingsJob = ownModule('plugins/control/metering/counters/redis/postings-job');

/** Returns a `writeLines` that writes to the ledger of a store, in the thread of the store. */
export const linesWriter =
  (store: Pick<Store, 'perform'>) =>
  (lines: string): Promise<void> => {
    const bytes = sharedBytes(Buffer.byteLength(lines));
    bytes.write(lines);
    return store.perform(postingsJob, bytes);
  };
