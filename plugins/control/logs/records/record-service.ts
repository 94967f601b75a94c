import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { type Claimant, withPlace } from '../../kernel/pools/shared-pools.ts';
import { notFound } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { Sealed } from '../../kernel/secrets/seal.ts';
import { newId } from '../../kernel/store/new-id.ts';
import { listFeedback } from '../feedback/feedback-store.ts';
import { feedbackView } from '../feedback/feedback-view.ts';
import { type BodyTexts, bodiesAt, sealedBodies } from '../recording/sealed-bodies.ts';
import type { LogParts } from '../store/log-parts.ts';
import { writeRecords } from '../writer/write-records.ts';
import type { RecordFilter } from './record-filters.ts';
import { findRecord, listRecords, type RecordPart, readRecords, type WholeRecord } from './record-store.ts';
import { recordView, wholeRecordView } from './record-view.ts';
import { type IngestedLog, sentRecord } from './sent-record.ts';

/** Some records, and whether there are more behind them. */
export interface ListedRecords {
  readonly data: readonly JsonObject[];
  readonly hasMore: boolean;
}

/** Who sends records in. */
export interface Sender extends RequestScope {
  readonly key: string | undefined;
  readonly trace: string;
}

/** What can be done with the records of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface RecordService {
  list(tenant: string, filter: RecordFilter, part: RecordPart): Promise<ListedRecords>;
  get(tenant: string, id: string): Promise<JsonObject>;
  /** All of them, page by page, each record with all that it says but bodies. Each page is read in its tenant's turn. */
  pages(claimant: Claimant, filter: RecordFilter): AsyncIterable<readonly JsonObject[]>;
  /** Adds records of requests that the gateway has not served; resolves with their ids. */
  send(sender: Sender, logs: readonly IngestedLog[]): Promise<readonly string[]>;
}

const pageRecords = 200;

const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

const opened = async (row: WholeRecord, { sealer }: LogParts): Promise<BodyTexts> => {
  if (row.bodies === null) return {};
  // What the log has sealed, and then what it made of the bodies.
  const sealed = fromJson(row.bodies) as Sealed;
  const texts = parseJson(await sealer.open(sealed, bodiesAt(row)));
  return (texts ?? {}) as BodyTexts;
};

export const createRecordService = (parts: LogParts): RecordService => {
  const { store, settings, sealer, now, pools } = parts;

  async function* pages(claimant: Claimant, filter: RecordFilter): AsyncGenerator<readonly JsonObject[]> {
    let after: string | undefined;
    for (;;) {
      const part = { limit: pageRecords, ...(after === undefined ? {} : { after }) };
      const rows = await withPlace(pools.logReads, claimant, () =>
        readRecords(store(), { tenant: claimant.tenant, filter, ...part }),
      );
      if (rows.length > 0) yield rows.map((row) => wholeRecordView(row));
      after = rows.at(-1)?.id;
      if (rows.length < pageRecords) return;
    }
  }

  return {
    async list(tenant, filter, { limit, after }) {
      const part = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
      const rows = await listRecords(store(), { tenant, filter, ...part });
      return { data: rows.slice(0, limit).map(recordView), hasMore: rows.length > limit };
    },

    async get(tenant, id) {
      const row = isId(id) ? await findRecord(store(), tenant, id) : undefined;
      if (row === undefined) throw notFound('log', id, 'GET /v1/logs');
      const feedback = await listFeedback(store(), tenant, row.trace_id);
      return { ...wholeRecordView(row, await opened(row, parts)), feedback: feedback.map(feedbackView) };
    },

    pages,

    async send({ organisation, tenant, key, trace }, logs) {
      const made = await Promise.all(
        logs.map(async (log) => {
          const by = { id: newId(now()), organisation, workspace: tenant, key, trace, settings };
          const record = sentRecord(log, by);
          const texts = {
            request: Buffer.from(JSON.stringify(log.request.body)),
            response: Buffer.from(JSON.stringify(log.response.body)),
          };
          const bodies = settings.bodies ? await sealedBodies(record.record, texts, { sealer, settings }) : null;
          const bytes = record.record.bytes + (bodies?.length ?? 0);
          return { record: { ...record.record, bytes }, detail: { ...record.detail, bodies } };
        }),
      );
      await writeRecords(store(), made);
      return made.map(({ record }) => record.id);
    },
  };
};
