import { toBuffer } from '../../sdk/to-buffer.ts';
import { joinedLines } from '../store/kept-texts.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { type NumberedName, readRecord } from './waiting-text.ts';
import type { LabelBounds } from './write-labels.ts';

/** What is to be written together. */
export interface LedgerWork {
  readonly records: readonly LedgerRecord[];
  readonly bounds: LabelBounds | undefined;
}

/** A text that waits, in UTF-8, with what it refers to. */
export interface WaitingBytes {
  readonly text: Uint8Array;
  readonly names: readonly NumberedName[];
}

interface Head {
  readonly bounds: LabelBounds | null;
  readonly names: readonly NumberedName[];
}

/** Texts that wait, as one that is handed over: a line with what they have in common, and one for each text. */
export const workText = (waiting: readonly WaitingBytes[], bounds: LabelBounds | undefined): Uint8Array => {
  const names = new Map<number, NumberedName>();
  for (const each of waiting) for (const named of each.names) names.set(named.number, named);
  const head: Head = { bounds: bounds ?? null, names: [...names.values()] };
  return joinedLines([Buffer.from(JSON.stringify(head)), ...waiting.map(({ text }) => text)]);
};

export const readWork = (bytes: Uint8Array): LedgerWork => {
  const [first = '', ...lines] = toBuffer(bytes).toString().split('\n');
  const { bounds, names }: Head = JSON.parse(first);
  const byNumber = new Map(names.map(({ number, is }) => [number, is]));
  return { records: lines.map((line) => readRecord(line, byNumber)), bounds: bounds ?? undefined };
};
