import { dayMs } from '../../../../../schema/durations.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import { storedSettings } from '../../../access/identity/places/stored-settings.ts';
import { lacksNulCharacters } from '../../../kernel/records/records.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { ResponseRow } from '../../../kernel/store/tables/tables.ts';
import { createResponseSeals } from './response-seals.ts';
import {
  deleteResponse,
  findResponse,
  insertResponse,
  isOfAnother,
  keepUntil,
  readLinks,
  readResponses,
} from './response-store.ts';
import type { Chain, NewResponse, StoredResponse } from './stored-response.ts';

/** The most bytes that a response and its input may have as JSON. */
export const maxKeptBytes: number = 4 * 1024 * 1024;

/** The most responses and bytes that a conversation is rebuilt from. */
const maxLinks = 1000;
const maxChainBytes = 32 * 1024 * 1024;

const defaultDays = 30;
const longestId = 512;
/** What is continued is kept so much longer than it must be: it need not be written each time then, in milliseconds. */
const slackMs = 3_600_000;

/** Where responses are kept, sealed, for as long as their workspace says. All of it rejects while the store is unavailable. */
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

export interface StoredResponsesParts {
  readonly store: Store;
  readonly sealer: Sealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const isKnowable = (id: string): boolean => id !== '' && id.length <= longestId && lacksNulCharacters(id);

export const createStoredResponses = ({ store, sealer, now }: StoredResponsesParts): StoredResponses => {
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
      const rows = await readResponses(
        store.db,
        tenant,
        links.map((link) => link.id),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      const kept: StoredResponse[] = [];
      for (const link of links.toReversed()) {
        const row = byId.get(link.id);
        if (row !== undefined) kept.push(await seals.response(row));
      }
      return { links: kept, isWhole: links.at(-1)?.previous_id === null && kept.length === links.length };
    },
    isOfAnother: async (tenant, id) => isKnowable(id) && isOfAnother(store.db, { tenant, id }),
    remove: async (tenant, id) => isKnowable(id) && store.write((writing) => deleteResponse(writing, tenant, id)),
  };
};
