import { joinedTexts } from '../store/kept-texts.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { type WaitingJson, waitingRecord } from './waiting-text.ts';
import type { LabelBounds } from './write-labels.ts';

/** What is to be written together. */
export interface LedgerWork {
  readonly records: readonly LedgerRecord[];
  readonly bounds: LabelBounds | undefined;
}

interface WorkJson {
  readonly bounds: LabelBounds | null;
  readonly waiting: readonly WaitingJson[];
}

/** Texts that wait, as one that is handed over. */
export const workText = (texts: readonly Uint8Array[], bounds: LabelBounds | undefined): Uint8Array =>
  joinedTexts(texts, {
    before: `{"bounds":${JSON.stringify(bounds ?? null)},"waiting":[`,
    between: ',',
    after: ']}',
  });

/** Throws, with a sentence, where the amounts of one of them are absurd. */
export const readWork = (text: string): LedgerWork => {
  const { bounds, waiting }: WorkJson = JSON.parse(text);
  return { records: waiting.map(waitingRecord), bounds: bounds ?? undefined };
};
