import { dayMs } from '../../../../schema/durations.ts';
import { exactText, fromExactJson } from '../../../../schema/json/exact-numbers.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { type Json, type JsonObject, writtenText } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { AnswerMaker } from '../../../sdk/http/http.ts';
import { lacksNulCharacters } from '../../kernel/records/records.ts';
import { showRow } from '../../kernel/records/show-rows.ts';
import { storedSettings } from '../../kernel/records/stored-settings.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ResponseRow } from '../../kernel/store/tables.ts';
import {
  deleteResponse,
  type EndedColumns,
  findResponse,
  insertResponse,
  isOfAnother,
  keepUntil,
  type OneBackground,
  readLinks,
  readResponses,
} from './response-store.ts';

type SealedField = Omit<SealedAt, 'table'>;

const toMaker = ({ slug, scope }: ResponseRow): Pick<StoredResponse, 'maker'> =>
  scope === null ? {} : { maker: slug === null ? { scope } : { slug, scope } };

/** Seals the stored parts of responses, each column for its own place. */
export class ResponseSeals {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  readonly seal = async (at: SealedField, text: string): Promise<string> =>
    JSON.stringify(await this.#sealer.seal(text, { ...at, table: 'responses' }));

  readonly #open = async (at: SealedField, sealed: string): Promise<Json> =>
    fromExactJson(
      await this.#sealer.open(
        showRow('response', at, () => fromJson(sealed)),
        { ...at, table: 'responses' },
      ),
    );

  /** Opens a sealed column of a row. */
  readonly open = <Field extends 'response' | 'input' | 'request'>(
    { workspace_id: tenant, id, ...row }: Pick<ResponseRow, 'workspace_id' | 'id' | Field>,
    field: Field,
  ): Promise<Json> => this.#open({ tenant, id, field }, row[field] ?? 'null');

  /** Seals the events from a sequence number on. */
  readonly sealEvents = (
    { tenant, id }: OneBackground,
    number: number,
    events: readonly JsonObject[],
  ): Promise<string> => this.seal({ tenant, id, field: `event ${number}` }, JSON.stringify(events));

  /** Opens the events of a row. */
  readonly openEvents = async (
    { tenant, id }: OneBackground,
    number: number,
    sealed: string,
  ): Promise<readonly JsonObject[]> => toObjects(await this.#open({ tenant, id, field: `event ${number}` }, sealed));

  /** Seals an ended response, and returns its columns; `open` is its stored state before. */
  async sealEnd({ tenant, id }: OneBackground, open: JsonObject, response: JsonObject): Promise<EndedColumns> {
    const text = JSON.stringify(response);
    return {
      ...{
        status: writtenText(response.status ?? ''),
        grown: Buffer.byteLength(text) - Buffer.byteLength(JSON.stringify(open)),
      },
      response: await this.seal({ tenant, id, field: 'response' }, text),
    };
  }

  /** Opens a whole row. */
  readonly response = async (row: ResponseRow): Promise<StoredResponse> => ({
    id: row.id,
    // The store has only what was sealed.
    response: (await this.open(row, 'response')) as JsonObject,
    input: await this.open(row, 'input'),
    isNative: row.is_native === 1,
    isBackground: row.request !== null,
    ...toMaker(row),
  });
}

/** A stored response, opened. */
export interface StoredResponse {
  readonly id: string;
  readonly response: JsonObject;
  /** The input of the request: a text, or items. */
  readonly input: Json;
  /** Whether its provider also has it, under the same id. */
  readonly isNative: boolean;
  /** Whether it is or was made in the background. */
  readonly isBackground?: boolean;
  /** The provider that made it; absent if it is not known. */
  readonly maker?: AnswerMaker;
}

/** A response with all responses before it, the oldest first. */
export interface Chain {
  readonly links: readonly StoredResponse[];
  /** Whether it starts at the beginning of the conversation. Earlier responses may not be stored. */
  readonly isWhole: boolean;
}

/** A response to store. */
interface NewResponse extends Omit<StoredResponse, 'id'> {
  readonly previous?: string | undefined;
  readonly createdBy?: string | undefined;
  /** The request of a background response. */
  readonly request?: JsonObject;
}

/** The maximum size of a response and its input as JSON, in bytes. */
export const maxKeptBytes: number = 4 * 1024 * 1024;

/** The maximum numbers of responses and bytes that a conversation is rebuilt from. */
const maxLinks = 1000;
const maxChainBytes = 32 * 1024 * 1024;

const defaultDays = 30;
const longestId = 512;
/** How much longer than necessary a continued response is stored, so that it is not written each time, in milliseconds. */
const slackMs = 3_600_000;

/** The stored responses, sealed, for as long as their workspace specifies. All methods reject while the store is unavailable. */
export interface StoredResponses {
  /** `too-large`: nothing was stored. A stored response with the same id stays as it is. `also` runs in the same transaction. */
  keep(tenant: TenantId, made: NewResponse, also?: (writing: Writing) => Promise<void>): Promise<'kept' | 'too-large'>;
  find(tenant: TenantId, id: string): Promise<StoredResponse | undefined>;
  /** `too-long`: the chain has more responses or bytes than are put together. Undefined: the id is not stored. */
  chain(tenant: TenantId, id: string): Promise<Chain | 'too-long' | undefined>;
  /** Checks whether the id is that of a response of another tenant. */
  isOfAnother(tenant: TenantId, id: string): Promise<boolean>;
  remove(tenant: TenantId, id: string): Promise<boolean>;
}

const isKnowable = (id: string): boolean => id !== '' && id.length <= longestId && lacksNulCharacters(id);

export const createStoredResponses = ({
  store,
  sealer,
  now,
}: Pick<ControlParts, 'store' | 'sealer' | 'now'>): StoredResponses => {
  const seals = new ResponseSeals(sealer);

  const readDays = async (tenant: TenantId): Promise<number> => {
    const row = await store.db
      .selectFrom('workspaces')
      .select(['id', 'settings'])
      .where('id', '=', tenant)
      .executeTakeFirst();
    return (row && storedSettings('workspace', row).keep_responses_days) ?? defaultDays;
  };

  const linksFrom = (tenant: TenantId, id: string) => readLinks(store.db, { tenant, id, now: now() }, maxLinks + 1);

  return {
    async keep(tenant, { response, input, isNative, maker, previous, createdBy, request }, also) {
      const id = findText(response.id) ?? '';
      const texts = { response: JSON.stringify(response), input: exactText(input) };
      const bytes = Buffer.byteLength(texts.response) + Buffer.byteLength(texts.input);
      if (bytes > maxKeptBytes || !isKnowable(id)) return 'too-large';
      const created = now();
      const row: ResponseRow = {
        ...{ workspace_id: tenant, id, previous_id: previous ?? null },
        ...{ slug: maker?.slug ?? null, scope: maker?.scope ?? null, account: maker?.account ?? null },
        is_native: isNative ? 1 : 0,
        ...{ status: findText(response.status) ?? 'completed', bytes },
        response: await seals.seal({ tenant, id, field: 'response' }, texts.response),
        input: await seals.seal({ tenant, id, field: 'input' }, texts.input),
        request: request === undefined ? null : await seals.seal({ tenant, id, field: 'request' }, exactText(request)),
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
      const byId = new Map((await readResponses(store.db, tenant, ids)).map((row) => [row.id, row]));
      const kept = await Promise.all(ids.flatMap((each) => byId.get(each) ?? []).map(seals.response));
      return { links: kept, isWhole: links.at(-1)?.previous_id === null && kept.length === links.length };
    },
    isOfAnother: async (tenant, id) => isKnowable(id) && isOfAnother(store.db, { tenant, id }),
    remove: async (tenant, id) => isKnowable(id) && store.write((writing) => deleteResponse(writing, tenant, id)),
  };
};
