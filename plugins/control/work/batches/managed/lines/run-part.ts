import { fromJson } from '../../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { findPlace } from '../../../../../../schema/json/json-places.ts';
import { toPointer } from '../../../../../../schema/json/pointer.ts';
import { repeatedKey } from '../../../../../../schema/json/repeated-key.ts';
import type { ReceivedBody } from '../../../../../sdk/route/route-row.ts';
import type { RunningJob } from '../../../../kernel/jobs/job-queue.ts';
import type { BatchPartRow, BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { maxLineBytes } from '../../lines/limits.ts';
import { readLines } from '../../lines/read-lines.ts';
import { validateLine } from '../../lines/validate-line.ts';
import type { BatchJobParts, BatchName } from '../records/job-names.ts';
import { type Stop, watchBatch } from './batch-watch.ts';
import type { LineGate } from './line-gate.ts';
import { decidesRetries, type LinePlan } from './line-plan.ts';
import { type RunLine, runLine } from './run-line.ts';

const at = toPointer(['body']);

const withoutMark = (line: Buffer): Buffer => (line[0] === 0xef ? line.subarray(3) : line);

/** A line that has a key twice is sent as it was validated: its provider might read the other of the two. */
const writtenBody = (line: Buffer, body: JsonObject): Uint8Array => {
  const place = repeatedKey(line) === undefined ? findPlace(line, at) : undefined;
  return place === undefined ? Buffer.from(JSON.stringify(body)) : line.subarray(place.from, place.to);
};

/** The body of a line that was validated, as it is written there: its numbers have all their digits. */
const lineBody = (line: Buffer, body: JsonObject): ReceivedBody => {
  const bytes = writtenBody(withoutMark(line), body);
  return {
    ...{ contentType: 'application/json', encoding: undefined, length: bytes.length },
    body: { kind: 'bytes', bytes },
    json: () => body,
  };
};

export interface PartToRun {
  readonly job: RunningJob;
  readonly name: BatchName;
  readonly row: BatchRow;
  readonly part: BatchPartRow;
  readonly gate: LineGate;
}

/** The results of a part in the order of its lines, and why some of them have not run. */
export interface RanPart {
  readonly lines: readonly RunLine[];
  readonly stop: Stop | undefined;
}

const defaultRetries = 3;

/** The id of the request that a line makes: by the line's number, so that log and ledger tell of it. */
export const requestId = ({ id }: BatchName, line: number): string => `${id}-${line}`;

/** Runs the lines of a part. Where the batch ends meanwhile, those that were not sent have results that say so. */
export const runPart = async (parts: BatchJobParts, { job, name, row, part, gate }: PartToRun): Promise<RanPart> => {
  const { files, clock, readView } = parts;
  // What the plan has was put there.
  const plan = fromJson(row.plan) as LinePlan;
  const decides = plan.config !== undefined && (await decidesRetries(plan, await readView(name.tenant)));
  const watch = await watchBatch(parts, name, job.cancellation);
  try {
    const range = { from: part.from_byte, to: part.to_byte };
    const bytes = files.read(name.tenant, row.input_file_id, range);
    const runner = {
      ...{ gateway: job.gateway, clock, gate, watch, plan },
      ...{ endpoint: row.endpoint, retries: decides ? 0 : defaultRetries },
    };
    const running: Promise<RunLine>[] = [];
    for await (const line of readLines(bytes, { most: maxLineBytes, number: part.first_line })) {
      const validated = validateLine(line.bytes, row.endpoint);
      if ('fault' in validated || line.bytes === undefined)
        throw new Error(`Line ${line.number} of the batch ${name.id} is not what it was.`);
      const toRun = { ...validated, received: lineBody(line.bytes, validated.body) };
      running.push(runLine(toRun, { id: requestId(name, line.number), customId: validated.customId }, runner));
    }
    const lines = await Promise.all(running);
    return { lines, stop: watch.stop() };
  } finally {
    watch.close();
  }
};
