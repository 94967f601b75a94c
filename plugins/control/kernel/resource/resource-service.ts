import type { TenantId } from '../../../sdk/exchange.ts';
import type { ControlParts } from '../../control-parts.ts';
import { newSlug } from '../../saved/new-slug.ts';
import type { Listed, Reading } from '../../saved/records.ts';
import { conflict, notFound, refuse } from '../../saved/refusals.ts';
import { unlessTaken } from '../../saved/unless-taken.ts';
import { newId } from '../../store/new-id.ts';
import type { Resource } from './define-resource.ts';
import { type Precondition, refuseChanged } from './precondition.ts';
import type { ResourcePage } from './resource-page.ts';
import { countRecords, findRecord, listRecords, type ResourceRow, recordWriter } from './resource-queries.ts';

/** A valid body: texts, and null where a change takes one away. */
export type ResourceBody = { readonly [member: string]: string | null };

/** A record that a request names, by its id or its name. */
export interface NamedRecord {
  readonly tenant: TenantId;
  readonly name: string;
  readonly precondition?: Precondition;
}

/** What can be done with the records of a resource. All methods reject with a `GatewayError`, or as the store does. */
export interface ResourceService {
  create(tenant: TenantId, body: ResourceBody): Promise<ResourceRow>;
  list(tenant: TenantId, page: ResourcePage): Promise<Listed<ResourceRow>>;
  get(named: NamedRecord): Promise<ResourceRow>;
  update(named: NamedRecord, body: ResourceBody): Promise<ResourceRow>;
  remove(named: NamedRecord): Promise<void>;
}

export const createResourceService = (
  resource: Resource,
  { store, now }: Pick<ControlParts, 'store' | 'now'>,
): ResourceService => {
  const { noun, plural, path, naming, members, limits, rules } = resource;

  const found = async (db: Reading, { tenant, name, precondition }: NamedRecord): Promise<ResourceRow> => {
    const row = await findRecord(db, resource, { tenant, name });
    if (row === undefined) throw notFound(noun, name, `GET /v1${path}`);
    refuseChanged(row, { precondition, what: noun, name });
    return row;
  };

  const taken = (name: unknown) =>
    conflict(`This workspace has a ${noun} "${name}" already.`, `Choose another ${naming}.`);

  /** Another record's id is taken as well, so that a name means one record. */
  const refuseTaken = async (db: Reading, row: ResourceRow): Promise<void> => {
    const name = naming === undefined ? undefined : row[naming];
    if (typeof name !== 'string') return;
    const other = await findRecord(db, resource, { tenant: row.workspace_id, name });
    if (other !== undefined && other.id !== row.id) throw taken(name);
  };

  const refuseFull = async (db: Reading, tenant: TenantId): Promise<void> => {
    if ((await countRecords(db, resource, tenant)) < limits.perWorkspace) return;
    throw conflict(`This workspace has ${limits.perWorkspace} ${plural}.`, 'Delete those that nobody needs.');
  };

  const newRow = (tenant: TenantId, body: ResourceBody): ResourceRow => {
    const made = now();
    const row: ResourceRow = { id: newId(made), workspace_id: tenant, created_at: made, updated_at: made };
    for (const [name, { presence }] of Object.entries(members))
      row[name] = body[name] ?? (presence === 'fixed' ? newSlug(body.name ?? noun) : null);
    return row;
  };

  return {
    async create(tenant, body) {
      refuse(rules.validate(body));
      const row = newRow(tenant, body);
      await unlessTaken(
        () => taken(naming === undefined ? row.id : row[naming]),
        () =>
          store.write(async (writing) => {
            await refuseFull(writing, tenant);
            await refuseTaken(writing, row);
            await recordWriter(store, writing, resource).insert(row);
          }),
      );
      return row;
    },

    list: (tenant, page) => listRecords(store.db, resource, { tenant, page }),

    get: (named) => found(store.db, named),

    async update(named, body) {
      refuse(rules.validate(body));
      return store.write(async (writing) => {
        const before = await found(writing, named);
        // Later than before, so that its entity tag is another one.
        const row: ResourceRow = { ...before, ...body, updated_at: Math.max(now(), before.updated_at + 1) };
        await refuseTaken(writing, row);
        await recordWriter(store, writing, resource).replace(row);
        return row;
      });
    },

    remove: (named) =>
      store.write(async (writing) => {
        const row = await found(writing, named);
        await rules.beforeDelete(row, writing);
        await recordWriter(store, writing, resource).remove(row);
      }),
  };
};
