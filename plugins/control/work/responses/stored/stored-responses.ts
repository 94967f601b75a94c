import { dayMs } from '../../../../../schema/durations.ts';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { AnswerMaker } from '../../../../sdk/http/http.ts';
import { storedSettings } from '../../../access/identity/places/stored-settings.ts';
import { lacksNulCharacters } from '../../../kernel/records/records.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { SealedAt } from '../../../kernel/secrets/seal.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { ResponseRow } from '../../../kernel/store/tables/tables.ts';
import {
  deleteResponse,
  findResponse,
  insertResponse,
  isOfAnother,
  keepUntil,
  readLinks,
  readResponses,
} from './response-store.ts';

type Field = 'response' | 'input' | 'request';

const toMaker = ({ slug, scope }: ResponseRow): Pick<StoredResponse, 'maker'> =>
  scope === null ? {} : { maker: slug === null ? { scope } : { slug, scope } };

/** A response whose columns are sealed. */
interface SealedResponse {
  readonly tenant: string;
  readonly id: string;
}

/** The events of a response from a sequence number on. */
interface SealedEvents extends SealedResponse {
  readonly number: number;
}

/** Seals what is stored of responses, each column for its own place. */
export interface ResponseSeals {
  seal(at: SealedResponse & { readonly field: Field }, text: string): Promise<string>;
  /** Opens a column of a row that has it. */
  open(row: Pick<ResponseRow, 'workspace_id' | 'id' | Field>, field: Field): Promise<Json>;
  sealEvents(at: SealedEvents, events: readonly JsonObject[]): Promise<string>;
  openEvents(at: SealedEvents, sealed: string): Promise<readonly JsonObject[]>;
  /** Seals a response that has ended, with the columns that follow from it. */
  sealEnd(at: SealedResponse, response: JsonObject): Promise<Pick<ResponseRow, 'status' | 'response' | 'bytes'>>;
  /** Opens a whole row. */
  response(row: ResponseRow): Promise<StoredResponse>;
}

export const createResponseSeals = (sealer: Sealer): ResponseSeals => {
  const seal = async ({ tenant, id, field }: Omit<SealedAt, 'table'>, text: string): Promise<string> =>
    JSON.stringify(await sealer.seal(text, { tenant, table: 'responses', id, field }));

  const openText = async ({ tenant, id, field }: Omit<SealedAt, 'table'>, sealed: string): Promise<string> =>
    sealer.open(fromJson(sealed), { tenant, table: 'responses', id, field });

  const open: ResponseSeals['open'] = async ({ workspace_id: tenant, id, ...row }, field) =>
    fromJson(await openText({ tenant, id, field }, row[field] ?? 'null'));

  return {
    seal,
    open,
    sealEvents: ({ number, ...at }, events) => seal({ ...at, field: `event ${number}` }, JSON.stringify(events)),
    openEvents: async ({ number, ...at }, sealed) =>
      fromJson(await openText({ ...at, field: `event ${number}` }, sealed)),
    async sealEnd(at, response) {
      const text = JSON.stringify(response);
      const status = String(response.status);
      return { status, bytes: Buffer.byteLength(text), response: await seal({ ...at, field: 'response' }, text) };
    },
    response: async (row) => ({
      id: row.id,
      // The store has only what was sealed.
      response: (await open(row, 'response')) as JsonObject,
      input: await open(row, 'input'),
      isNative: row.is_native === 1,
      isBackground: row.request !== null,
      ...toMaker(row),
    }),
  };
};

/** A response that is kept, opened. */
export interface StoredResponse {
  readonly id: string;
  readonly response: JsonObject;
  /** The input of the request: a text, or items. */
  readonly input: Json;
  /** Whether its provider has it too, under the same id. */
  readonly isNative: boolean;
  /** Whether it is made in the background, or was. */
  readonly isBackground?: boolean;
  /** The provider that made it; absent where it is not known. */
  readonly maker?: AnswerMaker;
}

/** A response with all before it, the oldest first. */
export interface Chain {
  readonly links: readonly StoredResponse[];
  /** Whether it begins with the beginning of the conversation: what came before it may not be kept. */
  readonly isWhole: boolean;
}

/** A response that is to be stored. */
interface NewResponse extends Omit<StoredResponse, 'id'> {
  readonly previous?: string | undefined;
  readonly createdBy?: string | undefined;
  /** The request of a response that is made in the background. */
  readonly request?: JsonObject;
}

/** The most bytes that a response and its input may have as JSON. */
export const maxKeptBytes: number = 4 * 1024 * 1024;

/** The most responses and bytes that a conversation is rebuilt from. */
const maxLinks = 1000;
const maxChainBytes = 32 * 1024 * 1024;

const defaultDays = 30;
const longestId = 512;
/** The time that a continued response is stored longer than it must be, so that it need not be written each time, in milliseconds. */
const slackMs = 3_600_000;

/** The responses that are stored, sealed, for as long as their workspace says. All of it rejects while the store is unavailable. */
export interface StoredResponses {
  /** `too-large`: nothing was kept. One of the same id that is kept already stays as it is. `also` is written with it. */
  keep(tenant: TenantId, made: NewResponse, also?: (writing: Writing) => Promise<void>): Promise<'kept' | 'too-large'>;
  find(tenant: TenantId, id: string): Promise<StoredResponse | undefined>;
  /** `too-long`: of more responses or bytes than are put together. Undefined: the id is not kept. */
  chain(tenant: TenantId, id: string): Promise<Chain | 'too-long' | undefined>;
  /** Whether the id is that of a response of another tenant. */
  isOfAnother(tenant: TenantId, id: string): Promise<boolean>;
  remove(tenant: TenantId, id: string): Promise<boolean>;
}

const isKnowable = (id: string): boolean => id !== '' && id.length <= longestId && lacksNulCharacters(id);

export const createStoredResponses = ({
  store,
  sealer,
  now,
}: Pick<ControlParts, 'store' | 'sealer' | 'now'>): StoredResponses => {
  const seals = createResponseSeals(sealer);

  const readDays = async (tenant: TenantId): Promise<number> => {
    const row = await store.db.selectFrom('workspaces').select('settings').where('id', '=', tenant).executeTakeFirst();
    return (row && storedSettings(row.settings).keep_responses_days) ?? defaultDays;
  };

  const linksFrom = (tenant: TenantId, id: string) => readLinks(store.db, { tenant, id, now: now() }, maxLinks + 1);

  return {
    async keep(tenant, { response, input, isNative, maker, previous, createdBy, request }, also) {
      const id = findText(response.id) ?? '';
      const texts = { response: JSON.stringify(response), input: JSON.stringify(input) };
      const bytes = Buffer.byteLength(texts.response) + Buffer.byteLength(texts.input);
      if (bytes > maxKeptBytes || !isKnowable(id)) return 'too-large';
      const created = now();
      const row: ResponseRow = {
        ...{ workspace_id: tenant, id, previous_id: previous ?? null },
        ...{ slug: maker?.slug ?? null, scope: maker?.scope ?? null, is_native: isNative ? 1 : 0 },
        ...{ status: findText(response.status) ?? 'completed', bytes },
        response: await seals.seal({ tenant, id, field: 'response' }, texts.response),
        input: await seals.seal({ tenant, id, field: 'input' }, texts.input),
        request:
          request === undefined ? null : await seals.seal({ tenant, id, field: 'request' }, JSON.stringify(request)),
        ...{ created_by: createdBy ?? null, created_at: created },
        expires_at: created + (await readDays(tenant)) * dayMs,
      };
      const before = previous === undefined ? [] : (await linksFrom(tenant, previous)).map((link) => link.id);
      await store.write(async (writing) => {
        await insertResponse(writing, row);
        await also?.(writing);
        await keepUntil(writing, tenant, { ids: before, until: row.expires_at, slackMs });
      });
      return 'kept';
    },
    async find(tenant, id) {
      const row = isKnowable(id) ? await findResponse(store.db, { tenant, id, now: now() }) : undefined;
      return row && seals.response(row);
    },
    async chain(tenant, id) {
      const links = isKnowable(id) ? await linksFrom(tenant, id) : [];
      if (links.length === 0) return undefined;
      const bytes = links.reduce((sum, link) => sum + link.bytes, 0);
      if (links.length > maxLinks || bytes > maxChainBytes) return 'too-long';
      const ids = links.map((link) => link.id).toReversed();
      const rows = await readResponses(store.db, tenant, ids);
      const byId = new Map(rows.map((row) => [row.id, row]));
      const kept = await Promise.all(ids.flatMap((each) => byId.get(each) ?? []).map(seals.response));
      return { links: kept, isWhole: links.at(-1)?.previous_id === null && kept.length === links.length };
    },
    isOfAnother: async (tenant, id) => isKnowable(id) && isOfAnother(store.db, { tenant, id }),
    remove: async (tenant, id) => isKnowable(id) && store.write((writing) => deleteResponse(writing, tenant, id)),
  };
};
