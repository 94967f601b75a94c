import type { BatchPartRow, BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { maxLineBytes } from '../../lines/limits.ts';
import { notRun, unanswered } from '../../lines/line-result.ts';
import { readLines } from '../../lines/read-lines.ts';
import { validateLine } from '../../lines/validate-line.ts';
import { isLost } from '../check/check-job.ts';
import { requestId } from '../lines/run-part.ts';
import type { BatchJobParts } from '../records/batch-job-parts.ts';
import { findResult, toParts } from '../records/batch-store.ts';
import type { BatchName } from '../records/job-names.ts';

interface Ending {
  readonly name: BatchName;
  readonly row: BatchRow;
}

type Reading = Pick<BatchJobParts, 'store' | 'files' | 'blobs'>;

/** The lines of the output file: the results of what has succeeded, in the order of the parts. */
export async function* outputLines({ store, blobs }: Reading, { name }: Ending): AsyncGenerator<Buffer, void> {
  for await (const part of toParts(store.db, name.id)) {
    const result = findResult(part);
    if (result !== undefined && result.errorsFrom > 0)
      yield* blobs.read(result.blob, { from: 0, to: result.errorsFrom });
  }
}

/** A line for each of a part's that was never sent. */
async function* linesNotRun(
  { files }: Reading,
  { name, row }: Ending,
  part: BatchPartRow,
): AsyncGenerator<Buffer, void> {
  const why = notRun[row.ending ?? 'cancelled'];
  const bytes = files.read(name.tenant, row.input_file_id, { from: part.from_byte, to: part.to_byte });
  for await (const line of readLines(bytes, { most: maxLineBytes, number: part.first_line })) {
    const validated = validateLine(line.bytes, row.endpoint);
    if (!('fault' in validated))
      yield Buffer.from(unanswered({ id: requestId(name, line.number), customId: validated.customId }, why).text);
  }
}

/** The lines of the error file: the results of what has failed, and of what has not run. */
export async function* errorLines(reading: Reading, ending: Ending): AsyncGenerator<Buffer, void> {
  for await (const part of toParts(reading.store.db, ending.name.id)) {
    const result = findResult(part);
    try {
      if (result === undefined) yield* linesNotRun(reading, ending, part);
      else if (result.errorsFrom < result.blob.bytes)
        yield* reading.blobs.read(result.blob, { from: result.errorsFrom, to: result.blob.bytes });
    } catch (error) {
      // Of an input file that is gone nobody knows the names of the lines.
      if (result !== undefined || !isLost(error)) throw error;
    }
  }
}
