import type { LogStore } from '../../../plugins/control/logs/writer/log-store.ts';
import { toFirstId } from '../../../plugins/control/logs/writer/stored-id.ts';
import type { NewRecord } from '../../../plugins/control/logs/writer/to-record.ts';
import { writeRecords } from '../../../plugins/control/logs/writer/write-records.ts';

/** Generated records, comparable in number and variety to the records of several months. */
export interface MadeRecords {
  readonly records: number;
  /** The time of the first record, and the time between two records, in milliseconds. */
  readonly start: number;
  readonly step: number;
  /** The ids of the workspaces, which alternate, and of their organisation. */
  readonly workspaces: readonly string[];
  readonly organisation: string;
  /** The labels for which hourly sums are kept. */
  readonly labels: readonly string[];
}

/** The number of records written at once. */
const atOnce = 2000;

const toText = (name: string, at: number, kinds: number): string => `${name}-${(at * 7919) % kinds}`;

const toStatus = (at: number): number => (at % 97 === 0 ? 500 : at % 31 === 0 ? 429 : 200);

const toDetail = (at: number, path: string): string =>
  JSON.stringify({
    ...{
      seed: at * 7919,
      metadata: {},
      targets: { [path]: { id: 'fast', provider: 'openai', slug: 'main' } },
      checks: [],
    },
    trail: [
      { kind: 'chose', path: '', branch: at % 3 },
      ['attempted', path, 'fast', 1, 200, 'upstream', at % 97, at % 99_991],
      ['settled', path, 'fast', 1, ['reported', 'm', null, at % 701, at % 89], ['stop'], at % 99_991],
    ],
  });

const recordAt = (at: number, made: MadeRecords): NewRecord => {
  const { start, step, workspaces, organisation } = made;
  const time = Math.floor(start + at * step);
  const id = `${toFirstId(time).slice(0, -12)}${at.toString(16).padStart(12, '0')}`;
  const workspace_id = workspaces[at % workspaces.length] ?? '';
  const turn = Math.floor(at / workspaces.length);
  const status = toStatus(turn);
  return {
    record: {
      ...{ id, workspace_id, organisation_id: organisation, created_at: time },
      ...{ trace_id: `trace-${Math.floor(at / 20)}`, key_id: toText('key', turn, 500), config: 'app', plan: 'app@1' },
      ...{ method: 'POST', path: '/v1/chat/completions', operation: 'converse', leaf: '', prompt: null },
      ...{ target: 'fast', provider: 'openai', slug: 'main', requested_model: 'm', model: toText('model', turn, 40) },
      ...{ status, cause: null, ending: 'complete', is_success: status < 400 ? 1 : 0, micros: at % 5_000_000 },
      ...{ attempts: 1, retries: 0, fell_back: 0, balanced: 0, input_tokens: 100, output_tokens: at % 700 },
      ...{ cost: at % 9999, cache_status: 'DISABLED', source: 'gateway', has_problem: 0, bytes: 200 },
      metadata: JSON.stringify({ team: toText('team', turn, 1000) }),
    },
    detail: { detail: toDetail(at, `config.targets[${at % 3}]`), bodies: null },
  };
};

/** Writes records to a log with the log's own writer. */
export const fillLog = async (store: LogStore, made: MadeRecords): Promise<void> => {
  for (let from = 0; from < made.records; from += atOnce) {
    const count = Math.min(atOnce, made.records - from);
    await writeRecords(
      store,
      Array.from({ length: count }, (_, at) => recordAt(from + at, made)),
      made.labels,
    );
  }
};
