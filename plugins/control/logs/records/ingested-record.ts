import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import type { LogStore } from '../writer/log-store.ts';
import { loggedHeaders, sealedBodies } from '../writer/sealed-bodies.ts';
import { timeOfId } from '../writer/stored-id.ts';
import { type NewRecord, readLabels, recordBytes, storableRecord } from '../writer/to-record.ts';
import { writeRecords } from '../writer/write-records.ts';

/** A request that a program sent without the gateway, as it reports it. */
export interface IngestedLog {
  readonly request: {
    readonly url: string;
    readonly method?: string;
    readonly headers?: JsonObject;
    readonly body: Json;
  };
  readonly response: {
    readonly status?: number;
    readonly headers?: JsonObject;
    readonly body: Json;
    readonly response_time?: number;
  };
  readonly metadata?: JsonObject;
}

export interface IngestedBy {
  readonly id: string;
  readonly organisation: string;
  readonly workspace: string;
  readonly key: string | undefined;
  /** The trace of the reporting request, for a record that names none. */
  readonly trace: string;
  readonly settings: LogSettings;
}

const memberText = (value: Json, name: string): string | null =>
  findText(findObject(value)?.[name])?.slice(0, 255) ?? null;

const tokens = (body: Json, names: readonly string[]): number => {
  const usage = findObject(findObject(body)?.usage) ?? {};
  const found = names.map((name) => usage[name]).find((value) => typeof value === 'number') ?? 0;
  return Number.isSafeInteger(found) && found > 0 ? found : 0;
};

/** Returns the address and the path of a URL, without parts that may be credentials. */
const toAddress = (url: string): { readonly shown: string; readonly path: string } => {
  const parsed = URL.parse(url, 'http://unknown');
  // The schemes of requests. In others, the part after the colon may be anything.
  if (parsed === null || !/^(?:http|ws)s?:$/.test(parsed.protocol)) return { shown: '', path: '/' };
  const { origin, pathname } = parsed;
  return { shown: origin === 'http://unknown' ? pathname : `${origin}${pathname}`, path: pathname };
};

const headerTexts = (headers: JsonObject, settings: LogSettings): JsonObject => {
  const kept = loggedHeaders(
    Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    { allowed: settings.headers, sensitive: [] },
  );
  return Object.fromEntries(kept.flatMap((name, at) => (at % 2 === 0 ? [[name, kept[at + 1] ?? '']] : [])));
};

/** Creates the rows of a sent-in record. It has no attempts and no trail, and costs nothing. */
export const ingestedRecord = ({ request, response, metadata = {} }: IngestedLog, by: IngestedBy): NewRecord => {
  const { id, organisation, workspace, key, trace, settings } = by;
  const { shown, path } = toAddress(request.url);
  const { status = 200, response_time: ms = 0, body: answer } = response;
  const { trace_id: named, ...labels } = metadata;
  const headers = headerTexts(request.headers ?? {}, settings);
  const detail = JSON.stringify({
    url: shown,
    metadata: labels,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  });
  return storableRecord({
    record: {
      workspace_id: workspace,
      id,
      organisation_id: organisation,
      created_at: timeOfId(id),
      trace_id: typeof named === 'string' && named !== '' ? named.slice(0, 255) : trace,
      key_id: key ?? null,
      config: null,
      plan: null,
      method: (request.method ?? 'POST').toUpperCase(),
      path,
      operation: 'sent',
      leaf: null,
      prompt: memberText(labels, '_prompt'),
      target: null,
      provider: null,
      slug: null,
      requested_model: memberText(request.body, 'model'),
      model: memberText(answer, 'model') ?? memberText(request.body, 'model'),
      status,
      cause: null,
      ending: 'complete',
      is_success: status < 400 ? 1 : 0,
      micros: Math.round(ms * 1000),
      attempts: 0,
      retries: 0,
      fell_back: 0,
      balanced: 0,
      input_tokens: tokens(answer, ['prompt_tokens', 'input_tokens']),
      output_tokens: tokens(answer, ['completion_tokens', 'output_tokens']),
      cost: 0,
      cache_status: null,
      source: 'sent',
      has_problem: 0,
      metadata: JSON.stringify(readLabels(labels)),
      bytes: recordBytes(null),
    },
    detail: { detail, bodies: null },
  });
};

/** Adds the bodies of a record, sealed as JSON, if it has any. */
const withBodies = ({ record, detail }: NewRecord, bodies: string | null): NewRecord => ({
  record: { ...record, bytes: recordBytes(bodies) },
  detail: { ...detail, bodies },
});

/** Adds records of requests that the gateway has not served, and resolves to their ids. Rejects like the store. */
export const sendRecords = async (
  store: LogStore,
  logs: readonly IngestedLog[],
  { by, sealer, now }: { readonly by: Omit<IngestedBy, 'id'>; readonly sealer: Sealer; readonly now: () => number },
): Promise<readonly string[]> => {
  const { settings } = by;
  const records = await Promise.all(
    logs.map(async (log) => {
      const rows = ingestedRecord(log, { id: newId(now()), ...by });
      const texts = {
        request: Buffer.from(JSON.stringify(log.request.body)),
        response: Buffer.from(JSON.stringify(log.response.body)),
      };
      const bodies = settings.bodies ? await sealedBodies(rows.record, texts, { sealer, settings }) : null;
      return withBodies(rows, bodies);
    }),
  );
  await writeRecords(store, records);
  return records.map(({ record }) => record.id);
};
