import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { countActive, toLimitPolicy } from '../../kernel/limits/active-policies.ts';
import type { ConditionBody } from '../../kernel/limits/conditions.ts';
import { type CounterReader, noCounters } from '../../kernel/limits/limit-policy.ts';
import {
  applyChange,
  findWorkspace,
  type PageQuery,
  paginateNewest,
  type Reading,
  refuseIfFull,
  resolveNamedWorkspace,
  resourcePage,
  toPage,
} from '../../kernel/records/records.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import { type Precondition, refuseChanged } from '../../kernel/requests/precondition.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import {
  changedMeanwhile,
  forbidden,
  notFound,
  queryFault,
  refuse,
  refuseForbidden,
} from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { PolicyRow } from '../../kernel/store/tables.ts';
import { type Entity, shownPolicy, toEntity, usageMap } from './shown-policy.ts';
import {
  ownCounterErrors,
  ownPolicyErrors,
  type PolicyDraft,
  type PolicyFilter,
  type PolicyKind,
  type PolicyStatus,
  readChanger,
  resolveConditions,
} from './validate-policy.ts';

/** The caller, and its workspace. */
export interface PolicyCaller extends RequestScope {
  readonly principal: Principal;
}

/** A policy that a request names by its id. */
interface NamedPolicy {
  readonly caller: PolicyCaller;
  readonly id: string;
  readonly precondition?: Precondition;
}

interface ReadOptions {
  readonly status: PolicyStatus;
  /** Whether the used amount is shown. */
  readonly include_usage?: boolean | undefined;
}

interface Shown<Item> {
  readonly total: number;
  readonly data: readonly Item[];
}

/** The owner of a new policy, as named in its body. */
type PolicyPlace = Partial<Readonly<Record<'workspace_id' | 'organisation_id', string | undefined>>>;

/** Lists what is missing from the owner. Only a service key determines by itself where a policy belongs. */
const placeErrors = ({ keyId }: Principal, place: PolicyPlace): readonly Problem[] =>
  (['workspace_id', 'organisation_id'] as const)
    .filter((name) => keyId === undefined && place[name] === undefined)
    .map((name) => problem([name], `"${name}" is missing.`, 'Write it: it can be left out only with a service key.'));

/** Saves a new policy. */
export const insertPolicy = async (store: Store, writing: Writing, row: PolicyRow): Promise<void> => {
  await writing.insertInto('policies').values(row).execute();
  await store.bump(writing, 'policies', row.workspace_id);
};

/** Replaces a policy by another with the same id. */
export const replacePolicy = async (store: Store, writing: Writing, row: PolicyRow): Promise<void> => {
  const { id, workspace_id, ...columns } = row;
  await writing
    .updateTable('policies')
    .set(columns)
    .where((where) => where.and({ id, workspace_id }))
    .execute();
  await store.bump(writing, 'policies', workspace_id);
};

/** Returns the place after an entity. Throws the `GatewayError` `invalid-input` if it is not listed. */
const placeAfter = (entities: readonly Entity[], id: string): number => {
  const place = entities.findIndex((each) => each.id === id.toLowerCase());
  if (place !== -1) return place + 1;
  throw queryFault(
    'after',
    'No entity with this id is listed; its counter may have been reset or started again.',
    'Read the list from its start.',
  );
};

/** The operations on policies of one kind. All methods reject with a `GatewayError`, or as the store does. */
export class PolicyService {
  readonly #parts: Pick<ControlParts, 'store' | 'now' | 'counters'>;
  readonly #counters: CounterReader;
  readonly #kind: PolicyKind;

  constructor(parts: Pick<ControlParts, 'store' | 'now' | 'counters'>, kind: PolicyKind) {
    this.#parts = parts;
    this.#counters = parts.counters ?? noCounters;
    this.#kind = kind;
  }

  async create(caller: PolicyCaller, place: PolicyPlace, validate: (now: number) => PolicyDraft): Promise<PolicyRow> {
    const { store } = this.#parts;
    const row = await this.#toRow(caller, place, validate);
    await store.write(async (writing) => {
      refuseIfFull('policies', await countActive(writing, row.workspace_id));
      await insertPolicy(store, writing, row);
    });
    return row;
  }

  /** Validates a new policy without saving anything. */
  async tryNew(caller: PolicyCaller, place: PolicyPlace, validate: (now: number) => PolicyDraft): Promise<void> {
    // The policy may belong to a workspace that does not exist yet, so its content is validated first.
    validate(this.#parts.now());
    const { workspace_id } = await this.#toRow(caller, place, validate);
    refuseIfFull('policies', await countActive(this.#parts.store.db, workspace_id));
  }

  async #toRow(caller: PolicyCaller, place: PolicyPlace, validate: (now: number) => PolicyDraft): Promise<PolicyRow> {
    const { store, now } = this.#parts;
    const { principal, organisation } = caller;
    const createdAt = now();
    refuse(placeErrors(principal, place));
    const draft = validate(createdAt);
    if (place.organisation_id !== undefined && place.organisation_id.toLowerCase() !== organisation)
      throw forbidden([
        problem(
          ['organisation_id'],
          'You reach only your own organisation.',
          'Leave organisation_id out, or write yours.',
        ),
      ]);
    const { tenant } = await resolveNamedWorkspace(caller, place.workspace_id, { store, principal });
    return this.#withResolvedConditions({
      ...draft,
      ...{ id: newId(createdAt), organisation_id: organisation, workspace_id: tenant, kind: this.#kind },
      ...{ status: 'active', created_at: createdAt, updated_at: createdAt },
    });
  }

  async #withResolvedConditions(row: PolicyRow): Promise<PolicyRow> {
    const { workspace_id, organisation_id } = row;
    const { slug } = await this.#parts.store.db
      .selectFrom('workspaces')
      .select('slug')
      .where('id', '=', workspace_id)
      .executeTakeFirstOrThrow(changedMeanwhile);
    const owner = { workspace_id: { id: workspace_id, slug }, organisation_id: { id: organisation_id } };
    const conditions = resolveConditions(fromJson(row.conditions) as readonly ConditionBody[], owner);
    return { ...row, conditions: JSON.stringify(conditions) };
  }

  /** Returns a policy after a change. Conditions that stay as they are may be older than their rules. */
  async #changed(before: PolicyRow, make: (row: PolicyRow, now: number) => PolicyRow): Promise<PolicyRow> {
    const after = make(before, this.#parts.now());
    return after.conditions === before.conditions ? after : this.#withResolvedConditions(after);
  }

  async list(
    caller: PolicyCaller,
    query: PolicyFilter & ReadOptions & PageQuery & { readonly after?: string },
  ): Promise<Shown<JsonObject>> {
    const { db } = this.#parts.store;
    const { workspace_id, status, type, unit, include_usage } = query;
    const wanted = {
      // A workspace that does not exist has no policies.
      ...(workspace_id !== undefined && {
        workspace_id: (await findWorkspace(db, caller.organisation, workspace_id)) ?? '',
      }),
      ...{ status, ...(type !== undefined && { type }), ...(unit !== undefined && { unit }) },
    };
    const { total, rows } = await paginateNewest(this.#select(db, caller, wanted), resourcePage(query));
    return { total, data: await this.#show(rows, include_usage) };
  }

  /** Reads a policy, as it is stored and as it is shown. */
  async get(
    caller: PolicyCaller,
    id: string,
    { status, include_usage }: ReadOptions,
  ): Promise<{ readonly row: PolicyRow; readonly shown: JsonObject }> {
    const row = await this.#find(this.#parts.store.db, caller, { id, status });
    const [shown = {}] = await this.#show([row], include_usage);
    return { row, shown };
  }

  /** Changes a policy. With a value key, also sets the counter of that value to 0. */
  async update(
    named: NamedPolicy,
    { make, resetValue }: { make(row: PolicyRow, now: number): PolicyRow; readonly resetValue?: string | undefined },
  ): Promise<PolicyRow> {
    const after = await this.#change(named, make);
    if (resetValue !== undefined) await this.#reset(named.caller, after, ({ value_key }) => value_key === resetValue);
    return after;
  }

  /** Validates a change without saving anything. */
  async tryChange(named: NamedPolicy, make: (row: PolicyRow, now: number) => PolicyRow): Promise<void> {
    await this.#changed(await this.#findChangeable(this.#parts.store.db, named), make);
  }

  async archive(named: NamedPolicy): Promise<void> {
    await this.#change(named, (before) => ({ ...before, status: 'archived' }));
  }

  async entities(
    caller: PolicyCaller,
    id: string,
    query: PageQuery & {
      readonly status: PolicyStatus;
      readonly search?: string | undefined;
      readonly after?: string | undefined;
    },
  ): Promise<Shown<Entity>> {
    const { status, search = '', after } = query;
    const row = await this.#find(this.#parts.store.db, caller, { id, status });
    const wanted = search.toLowerCase();
    const found = (await this.#readUsages([row]))
      .flatMap(({ policy, buckets }) => buckets.map((bucket) => toEntity(policy, bucket, row.type)))
      .filter(({ value_key }) => value_key.toLowerCase().includes(wanted))
      .sort((a, b) => (a.value_key < b.value_key ? -1 : 1));
    const { offset, limit } = toPage(query);
    const start = after === undefined ? 0 : placeAfter(found, after);
    return { total: found.length, data: found.slice(start + offset, start + offset + limit) };
  }

  /** Resets the counter of an entity. An entity without usage is already in that state. */
  async resetEntity(caller: PolicyCaller, id: string, entity: string): Promise<void> {
    const row = await this.#findChangeable(this.#parts.store.db, { caller, id });
    await this.#reset(caller, row, (each) => each.id === entity.toLowerCase());
  }

  /** Selects from the policies that a caller sees: those of its organisation, or of its workspace. */
  #select(db: Reading, { organisation, tenant, principal: { reach } }: PolicyCaller, wanted: Partial<PolicyRow>) {
    return db
      .selectFrom('policies')
      .where((where) => where.and({ organisation_id: organisation, kind: this.#kind }))
      .$if(reach !== 'organisation', (all) => all.where('workspace_id', '=', tenant))
      .where((where) => where.and(wanted))
      .selectAll();
  }

  async #find(
    db: Reading,
    caller: PolicyCaller,
    { id, status }: { readonly id: string; readonly status: PolicyStatus },
  ): Promise<PolicyRow> {
    // Ids are stored in lower case.
    const row = await this.#select(db, caller, { id: id.toLowerCase(), status }).executeTakeFirst();
    const kind = this.#kind;
    if (row === undefined) throw notFound(`${status} ${kind} limit policy`, id, `GET /v1/policies/${kind}-limits`);
    return row;
  }

  /**
   * Returns a policy that its caller may change, and that has not changed since the caller read it. No key may change a policy
   * that limits itself.
   */
  async #findChangeable(db: Reading, { caller, id, precondition }: NamedPolicy): Promise<PolicyRow> {
    const row = await this.#find(db, caller, { id, status: 'active' });
    refuseForbidden(ownPolicyErrors(toLimitPolicy(row), await readChanger(db, caller.principal)));
    refuseChanged(row, { precondition, what: `${this.#kind} limit policy`, name: id });
    return row;
  }

  #change(named: NamedPolicy, make: (row: PolicyRow, now: number) => PolicyRow): Promise<PolicyRow> {
    const { store, now } = this.#parts;
    return applyChange<PolicyRow>(store, {
      find: (db) => this.#findChangeable(db, named),
      make: async (before) => ({ ...(await this.#changed(before, make)), updated_at: now() }),
      replace: (writing, row) => replacePolicy(store, writing, row),
    });
  }

  async #readUsages(rows: readonly PolicyRow[]) {
    const policies = showRows('policy', rows, toLimitPolicy);
    const buckets = await this.#counters.readBuckets(policies);
    return policies.map((policy, at) => ({ policy, buckets: buckets[at] ?? [] }));
  }

  async #show(rows: readonly PolicyRow[], isUsageShown = false): Promise<readonly JsonObject[]> {
    const usages = isUsageShown ? await this.#readUsages(rows) : [];
    const shownRows = showRows('policy', rows, (row) => shownPolicy(row, this.#parts.now()));
    return rows.map((row, at) => {
      const usage = usages[at];
      const shown = shownRows[at] ?? {};
      if (usage === undefined) return shown;
      return { ...shown, value_key_usage_map: usageMap(usage.policy, usage.buckets, row.type) };
    });
  }

  /** Sets the counters of the chosen entities to 0, unless one of them counts the caller's own requests. */
  async #reset(caller: PolicyCaller, row: PolicyRow, isChosen: (entity: Entity) => boolean): Promise<void> {
    const changer = await readChanger(this.#parts.store.db, caller.principal);
    for (const { policy, buckets } of await this.#readUsages([row])) {
      const chosen = buckets.filter((each) => isChosen(toEntity(policy, each, row.type)));
      for (const { values } of chosen) refuseForbidden(ownCounterErrors(policy, values, changer));
      for (const { bucket } of chosen) await this.#counters.reset(policy, bucket);
    }
  }
}
