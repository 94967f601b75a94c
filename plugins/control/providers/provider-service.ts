import { invalidInput } from '../../../schema/invalid-input.ts';
import type { ControlParts } from '../control-parts.ts';
import { exhaustedOf } from '../policies/exhausted-of.ts';
import { limitedProvider } from '../policies/limited.ts';
import { changedLimits } from '../policies/own-limits.ts';
import { applyChange } from '../saved/apply-change.ts';
import { mapConflict } from '../saved/map-conflict.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { PageQuery } from '../saved/paging.ts';
import type { Reading } from '../saved/records.ts';
import { conflict, notFound } from '../saved/refusals.ts';
import { refuseFull } from '../saved/refuse-full.ts';
import type { RequestScope } from '../saved/request-scope.ts';
import { usesWords } from '../saved/uses-words.ts';
import { newId } from '../store/new-id.ts';
import type { ProviderRow } from '../store/tables.ts';
import type { NewProviderBody, ProviderUpdateBody } from './provider-bodies.ts';
import { changedDestination, newDestination } from './provider-destination.ts';
import {
  countProviders,
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderKind,
  replaceProvider,
} from './provider-store.ts';
import { type ProviderView, type ProviderViewOptions, toProviderView } from './provider-view.ts';
import { toMillis } from './record-members.ts';
import { slugTaken } from './slug-taken.ts';
import { noIntegration, usableIntegration } from './usable-integration.ts';
import { usesOf } from './uses-of.ts';

/** Rules for the providers of workspaces, or for their virtual keys. Every method may throw a `GatewayError`. */
export interface ProviderService {
  create(requestScope: RequestScope, body: NewProviderBody): Promise<ProviderRow>;
  list(
    requestScope: RequestScope,
    page: PageQuery,
  ): Promise<{ readonly total: number; readonly data: readonly ProviderView[] }>;
  get(requestScope: RequestScope, slug: string): Promise<ProviderView>;
  update(requestScope: RequestScope, slug: string, body: ProviderUpdateBody): Promise<ProviderRow>;
  remove(requestScope: RequestScope, slug: string): Promise<void>;
}

/** What records are called in sentences, and the routes that list them. */
const words = {
  provider: { what: 'provider', list: 'GET /v1/providers' },
  'virtual-key': { what: 'virtual key', list: 'GET /v1/virtual-keys' },
} as const satisfies Record<ProviderKind, object>;

export const createProviderService = (parts: ControlParts, kind: ProviderKind): ProviderService => {
  const { store, now, overlay, counters } = parts;
  const { what, list } = words[kind];

  const find = async (db: Reading, { tenant }: RequestScope, slug: string): Promise<ProviderRow> => {
    const row = await findProvider(db, { tenant, kind }, slug);
    if (row === undefined) throw notFound(what, slug, list);
    return row;
  };

  const shownNow = async (rows: readonly ProviderRow[]): Promise<ProviderViewOptions> => ({
    now: now(),
    exhausted: await exhaustedOf(rows.map(limitedProvider), counters),
  });

  return {
    async create(requestScope, body) {
      const createdAt = now();
      const id = newId(createdAt);
      const { name, slug = newSlug(name), note = null, expires_at } = body;
      const row: ProviderRow = {
        ...{ id, workspace_id: requestScope.tenant, slug, name, kind, note, status: 'active' },
        limits: changedLimits(body, { before: null, now: createdAt }),
        ...(await newDestination(parts, requestScope, { body, id })),
        expires_at: toMillis(expires_at),
        ...{ created_at: createdAt, updated_at: createdAt },
      };
      const saved = kind === 'provider' ? overlay.saved.providers : overlay.saved.virtualKeys;
      if (Object.hasOwn(saved, slug)) throw slugTaken(slug, "the gateway's file");
      const taken = () => slugTaken(slug, 'a provider or virtual key of the workspace');
      await mapConflict(taken, () =>
        store.write(async (writing) => {
          const { integration_id: integration } = row;
          // It may have been deleted, or taken from the workspace, meanwhile.
          if (integration !== null && (await usableIntegration(writing, requestScope, integration)) === undefined)
            throw invalidInput([noIntegration(integration)]);
          const count = await countProviders(writing, { tenant: requestScope.tenant, kind });
          refuseFull(kind === 'provider' ? 'providers' : 'virtual keys', count);
          await insertProvider(store, writing, row);
        }),
      );
      return row;
    },

    async list({ tenant }, page) {
      const { total, rows } = await listProviders(store, { tenant, kind }, page);
      const shown = await shownNow(rows);
      return { total, data: rows.map((row) => toProviderView(row, shown)) };
    },

    async get(requestScope, slug) {
      const row = await find(store.db, requestScope, slug);
      return toProviderView(row, await shownNow([row]));
    },

    async update(requestScope, slug, body) {
      const after = await applyChange<ProviderRow>(store, {
        find: (db) => find(db, requestScope, slug),
        make: async (before) => ({
          ...before,
          ...(await changedDestination(parts, body, before)),
          ...(body.name !== undefined && { name: body.name }),
          ...(body.note !== undefined && { note: body.note }),
          ...(body.expires_at !== undefined && { expires_at: toMillis(body.expires_at) }),
          limits: changedLimits(body, { before: before.limits, now: now() }),
          updated_at: now(),
        }),
        replace: (writing, row) => replaceProvider(store, writing, row),
      });
      return after;
    },

    remove: (requestScope, slug) =>
      store.write(async (writing) => {
        const row = await find(writing, requestScope, slug);
        const uses = await usesOf(writing, requestScope.tenant, row);
        if (uses.length > 0)
          throw conflict(
            `The ${what} "${slug}" is named by ${usesWords(uses)}.`,
            'Change or delete what names it first.',
          );
        await deleteProvider(store, writing, row);
      }),
  };
};
