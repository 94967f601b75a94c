import { readdirSync, readFileSync } from 'node:fs';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { toFrames } from '../../plugins/dialects/support/frames.ts';

/** A stream that a provider with a dialect has sent, from its first frame to its last. */
export interface WholeStream {
  readonly name: string;
  readonly dialect: Dialect;
  readonly frames: readonly Frame[];
}

/** Every first-party dialect that has streams. */
export const streamingDialects: readonly Dialect[] = builtinDialects.filter(
  (dialect) => findAnswerCodec(dialect) !== undefined,
);

const folder = new URL('../../fixtures/dialects/', import.meta.url);

/** If frames are not texts, each line is an event and its payload. */
const framesOfFile = (file: string): readonly Frame[] => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  if (file.endsWith('.sse')) return toFrames(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ event: line.slice(0, line.indexOf(' ')), data: line.slice(line.indexOf(' ') + 1) }));
};

/** Whether no frame of a stream is an error. */
const isWell = ({ dialect, frames }: WholeStream): boolean =>
  !frames.some((frame) => dialect.classify(frame) === 'error');

/** Returns the project's own streams in a dialect, except those that end with an error. */
export const wholeStreams = (dialect: Dialect): readonly WholeStream[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`${dialect.id}-`))
    .toSorted()
    .map((name) => ({ name, dialect, frames: framesOfFile(name) }))
    .filter(isWell);
