import { gatewayError } from '../../../schema/errors.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import type { ControlParts } from '../control-parts.ts';
import { type Problem, problem } from '../keys/problem.ts';
import type { Acting } from '../saved/acting.ts';
import { applyChange } from '../saved/apply-change.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { Page } from '../saved/paging.ts';
import { newId } from '../store/new-id.ts';
import type { ProviderRow } from '../store/tables.ts';
import type { DestinationBody } from './destination-body.ts';
import type { StoredDestination } from './judge-record.ts';
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderKind,
  type Reading,
  replaceProvider,
} from './provider-store.ts';
import { type ProviderView, toProviderView } from './provider-view.ts';
import { memberProblems, toMillis } from './record-members.ts';
import { refuseProblems } from './refuse-problems.ts';
import { sealDestination } from './seal-destination.ts';
import { notFoundError, providerKind, takenError, unlessTaken, virtualKeyKind } from './taken.ts';
import { noIntegration, usableIntegration } from './usable-integration.ts';
import { usesOf } from './uses-of.ts';

/** The body that makes a provider or a virtual key. */
export interface NewProviderBody extends DestinationBody {
  readonly name: string;
  readonly slug?: string;
  /** The id or slug of the integration whose credential it uses. */
  readonly integration_id?: string;
  readonly note?: string;
  /** Seconds since the epoch. */
  readonly expires_at?: number;
}

/** The body that changes one: what is absent stays, what is null is taken away. */
export interface ProviderUpdateBody extends DestinationBody {
  readonly name?: string;
  readonly note?: string | null;
  readonly expires_at?: number | null;
}

/** Rules for the providers of workspaces, or for their virtual keys. Every method may throw a `GatewayError`. */
export interface ProviderService {
  create(acting: Acting, body: NewProviderBody): Promise<ProviderView>;
  list(acting: Acting, page: Page): Promise<{ readonly total: number; readonly data: readonly ProviderView[] }>;
  get(acting: Acting, slug: string): Promise<ProviderView>;
  update(acting: Acting, slug: string, body: ProviderUpdateBody): Promise<ProviderView>;
  remove(acting: Acting, slug: string): Promise<void>;
}

type Called = StoredDestination & Pick<ProviderRow, 'integration_id'>;

const ownMembers = ['provider', 'settings', 'credential', 'key'] as const;

/** What an integration says instead. */
const integrationProblems = (body: DestinationBody): readonly Problem[] =>
  ownMembers
    .filter((member) => body[member] !== undefined)
    .map((member) =>
      problem([member], 'A provider of an integration takes this from the integration.', 'Leave it out.'),
    );

/** The columns of a provider that calls what its integration says. */
const ofIntegration = { settings: '{}', credential: null, origins: '[]' } as const;

export const createProviderService = (parts: ControlParts, kind: ProviderKind): ProviderService => {
  const { store, now, overlay } = parts;
  const named = kind === 'provider' ? providerKind : virtualKeyKind;

  const find = async (db: Reading, { tenant }: Acting, slug: string): Promise<ProviderRow> => {
    const row = await findProvider(db, { tenant, kind }, slug);
    if (row === undefined) throw notFoundError(named, slug);
    return row;
  };

  const judgeMembers = (body: NewProviderBody | ProviderUpdateBody): readonly Problem[] => memberProblems(body, now());

  const newDestination = async (acting: Acting, body: NewProviderBody, id: string): Promise<Called> => {
    const problems = judgeMembers(body);
    const owner = { tenant: acting.tenant, table: 'providers', id };
    const { integration_id: name } = body;
    if (name === undefined)
      return { integration_id: null, ...(await sealDestination(parts, { body, owner, problems })) };
    const integration = await usableIntegration(store.db, acting, name);
    const found = [...problems, ...integrationProblems(body)];
    if (integration === undefined) throw invalidInput([noIntegration(name), ...found]);
    refuseProblems(found);
    return { integration_id: integration.id, provider: integration.provider, ...ofIntegration };
  };

  const changedDestination = async (
    { tenant }: Acting,
    body: ProviderUpdateBody,
    before: ProviderRow,
  ): Promise<Partial<Called>> => {
    const problems = judgeMembers(body);
    const owner = { tenant, table: 'providers', id: before.id };
    if (before.integration_id === null) return sealDestination(parts, { body, owner, before, problems });
    refuseProblems([...problems, ...integrationProblems(body)]);
    return {};
  };

  return {
    async create(acting, body) {
      const made = now();
      const id = newId(made);
      const { name, slug = newSlug(name), note = null, expires_at } = body;
      const row: ProviderRow = {
        ...{ id, workspace_id: acting.tenant, slug, name, kind, note, status: 'active' },
        ...(await newDestination(acting, body, id)),
        expires_at: toMillis(expires_at),
        ...{ created_at: made, updated_at: made },
      };
      const saved = kind === 'provider' ? overlay.saved.providers : overlay.saved.virtualKeys;
      if (Object.hasOwn(saved, slug)) throw takenError(slug, "the gateway's file");
      await unlessTaken(slug, 'a provider or virtual key of the workspace', () =>
        store.write(async (writing) => {
          const { integration_id: integration } = row;
          // It may have been deleted, or taken from the workspace, meanwhile.
          if (integration !== null && (await usableIntegration(writing, acting, integration)) === undefined)
            throw invalidInput([noIntegration(integration)]);
          await insertProvider(store, writing, row);
        }),
      );
      return toProviderView(row);
    },

    async list({ tenant }, page) {
      const { total, rows } = await listProviders(store, { tenant, kind }, page);
      return { total, data: rows.map(toProviderView) };
    },

    get: async (acting, slug) => toProviderView(await find(store.db, acting, slug)),

    async update(acting, slug, body) {
      const after = await applyChange<ProviderRow>(store, {
        find: (db) => find(db, acting, slug),
        make: async (before) => ({
          ...before,
          ...(await changedDestination(acting, body, before)),
          ...(body.name !== undefined && { name: body.name }),
          ...(body.note !== undefined && { note: body.note }),
          ...(body.expires_at !== undefined && { expires_at: toMillis(body.expires_at) }),
          updated_at: now(),
        }),
        replace: (writing, row) => replaceProvider(store, writing, row),
      });
      return toProviderView(after);
    },

    remove: (acting, slug) =>
      store.write(async (writing) => {
        const row = await find(writing, acting, slug);
        const [first, ...others] = await usesOf(writing, acting.tenant, row);
        if (first !== undefined)
          throw gatewayError('conflict', {
            fact: `The ${named.what} "${slug}" is named by ${first}${others.length === 0 ? '' : ` and ${others.length} more`}.`,
            suggestion: 'Change or delete what names it first.',
          });
        await deleteProvider(store, writing, row);
      }),
  };
};
