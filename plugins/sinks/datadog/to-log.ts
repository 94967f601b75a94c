import type { JsonObject } from '../../../schema/json/json.ts';
import type { SinkRecord } from '../../sdk/sink/sink.ts';
import { type ReadRecord, readRecord } from '../shared/read-record.ts';

export interface LogOptions {
  readonly source: string;
  readonly service: string;
  readonly hostname: string;
  readonly tags: readonly string[];
}

/** Datadog truncates logs that are longer than 1 MB, so that their JSON becomes unreadable. */
const longest = 1_000_000;

const statuses = { success: 'info', warning: 'warn', error: 'error' } as const;

const toMessage = ({ whole, status, model, startedAt, endedAt, cause }: ReadRecord): string =>
  [
    `${String(whole.method)} ${String(whole.path)} ${status}`,
    ...(model === undefined ? [] : [model]),
    `${Math.round(endedAt - startedAt)} ms`,
    ...(cause === undefined ? [] : [`(${cause})`]),
  ].join(' ');

/** Datadog finds the trace of a log by an id of 32 hexadecimal digits. */
const toTrace = (trace: string): JsonObject => (/^[\da-f]{32}$/.test(trace) ? { dd: { trace_id: trace } } : {});

const toText = (read: ReadRecord, { source, service, hostname, tags }: LogOptions, record: JsonObject): string =>
  JSON.stringify({
    ddsource: source,
    ...{ service, hostname },
    ...(tags.length === 0 ? {} : { ddtags: tags.join(',') }),
    message: toMessage(read),
    status: statuses[read.outcome],
    timestamp: new Date(read.endedAt).toISOString(),
    ...toTrace(read.trace),
    gatewright: record,
  });

/**
 * The members that are removed from a record that is too long. The first list that is sufficient is used. Requests are usually
 * longer than answers.
 */
const leftOut: readonly (readonly string[])[] = [
  [],
  ['request'],
  ['request', 'response'],
  ['request', 'response', 'trail', 'attempts', 'checks'],
];

const without = (record: JsonObject, names: readonly string[]): JsonObject =>
  names.length === 0
    ? record
    : { ...Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))), left_out: names };

/**
 * Converts a record to a Datadog log in JSON, without some of its parts if it is too long.
 * https://docs.datadoghq.com/api/latest/logs/#send-logs
 */
export const toLog = (record: SinkRecord, options: LogOptions): string => {
  const read = readRecord(record);
  let text = '';
  for (const names of leftOut) {
    text = toText(read, options, without(read.whole, names));
    if (Buffer.byteLength(text) <= longest) break;
  }
  return text;
};
