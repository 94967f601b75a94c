import { joinedLines } from '../store/kept-texts.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { waitingRecord } from './waiting-text.ts';
import type { LabelBounds } from './write-labels.ts';

/** What is to be written together. */
export interface LedgerWork {
  readonly records: readonly LedgerRecord[];
  readonly bounds: LabelBounds | undefined;
}

/** Texts that wait, as one that is handed over: a line with the bounds, and one for each text. */
export const workText = (texts: readonly Uint8Array[], bounds: LabelBounds | undefined): Uint8Array =>
  joinedLines([Buffer.from(JSON.stringify(bounds ?? null)), ...texts]);

/** Throws, with a sentence, where the amounts of one of them are absurd. */
export const readWork = (text: string): LedgerWork => {
  const [first = 'null', ...lines] = text.split('\n');
  const bounds: LabelBounds | null = JSON.parse(first);
  return { records: lines.map((line) => waitingRecord(JSON.parse(line))), bounds: bounds ?? undefined };
};
