import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { countActive } from '../../kernel/limits/active-policies.ts';
import { noCounters, type PolicyBucket } from '../../kernel/limits/counter-reader.ts';
import type { LimitPolicy } from '../../kernel/limits/limit-policy.ts';
import { toLimitPolicy } from '../../kernel/limits/to-limit-policy.ts';
import { applyChange } from '../../kernel/records/apply-change.ts';
import { findWorkspace, resolveNamedWorkspace } from '../../kernel/records/named-workspace.ts';
import type { Page, Reading } from '../../kernel/records/records.ts';
import { refuseFull } from '../../kernel/records/refuse-full.ts';
import { forbidden, refuseForbidden } from '../../kernel/requests/forbidden.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { notFound, refuse } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { PolicyRow } from '../../kernel/store/tables/tables.ts';
import { findPolicy, insertPolicy, listPolicies, type PolicySight, replacePolicy } from './policy-store.ts';
import { type Entity, shownPolicy, toEntity, usageMap } from './shown-policy.ts';
import {
  ownCounterFaults,
  ownPolicyFaults,
  type PolicyChanger,
  type PolicyFilter,
  type PolicyKind,
  type PolicyStatus,
  readChanger,
} from './validate-policy.ts';

/** Who asks, and where. */
export interface PolicyCaller extends RequestScope {
  readonly principal: Principal;
}

/** Where a new policy is to be, as its body says it. */
export interface PolicyPlace {
  readonly workspace_id?: string | undefined;
  readonly organisation_id?: string | undefined;
}

/** What is kept of a policy beside what it has from its place and time. */
type PolicyDraft = Omit<
  PolicyRow,
  'id' | 'organisation_id' | 'workspace_id' | 'kind' | 'status' | 'created_at' | 'updated_at'
>;

export interface ReadOptions {
  readonly status: PolicyStatus;
  /** Whether what was used is shown. */
  readonly include_usage?: boolean | undefined;
}

export interface Shown<Item> {
  readonly total: number;
  readonly data: readonly Item[];
}

/** What can be done with policies of one kind. All methods reject with a `GatewayError`, or as the store does. */
export interface PolicyService {
  create(caller: PolicyCaller, place: PolicyPlace, validate: (now: number) => PolicyDraft): Promise<PolicyRow>;
  list(caller: PolicyCaller, query: PolicyFilter & ReadOptions & { readonly page: Page }): Promise<Shown<JsonObject>>;
  get(caller: PolicyCaller, id: string, options: ReadOptions): Promise<JsonObject>;
  /** With a value key, sets the counter of that to 0 as well. */
  update(
    caller: PolicyCaller,
    id: string,
    change: { make(row: PolicyRow, now: number): PolicyRow; readonly resetValue?: string | undefined },
  ): Promise<void>;
  archive(caller: PolicyCaller, id: string): Promise<void>;
  entities(
    caller: PolicyCaller,
    id: string,
    query: { readonly status: PolicyStatus; readonly search?: string | undefined; readonly page: Page },
  ): Promise<Shown<Entity>>;
  /** An entity that has used nothing is as it would be after a reset. */
  resetEntity(caller: PolicyCaller, id: string, entity: string): Promise<void>;
}

const lists = { usage: 'GET /v1/policies/usage-limits', rate: 'GET /v1/policies/rate-limits' } as const;

const toSight = ({ organisation, tenant, principal: { reach } }: PolicyCaller): PolicySight => ({
  organisation,
  workspace: reach === 'organisation' ? undefined : tenant,
});

/** Only a service key says by itself where a policy belongs. */
const placeFaults = ({ keyId }: Principal, place: PolicyPlace): readonly Problem[] =>
  keyId !== undefined
    ? []
    : (['workspace_id', 'organisation_id'] as const).flatMap((name) =>
        place[name] === undefined
          ? [problem([name], `"${name}" is missing.`, 'Write it: only with a service key it can be left out.')]
          : [],
      );

const foreignOrganisation = (): Error =>
  forbidden([
    problem(['organisation_id'], 'You reach only your own organisation.', 'Leave organisation_id out, or write yours.'),
  ]);

interface Usage {
  readonly policy: LimitPolicy;
  readonly buckets: readonly PolicyBucket[];
}

export const createPolicyService = (
  { store, now, counters = noCounters }: Pick<ControlParts, 'store' | 'now' | 'counters'>,
  kind: PolicyKind,
): PolicyService => {
  const find = async (
    db: Reading,
    caller: PolicyCaller,
    { id, status }: { readonly id: string; readonly status: PolicyStatus },
  ): Promise<PolicyRow> => {
    // Ids are written in lower case.
    const row = await findPolicy(db, toSight(caller), { kind, id: id.toLowerCase(), status });
    if (row === undefined) throw notFound(`${status} ${kind} limit policy`, id, lists[kind]);
    return row;
  };

  const readUsages = async (rows: readonly PolicyRow[]): Promise<readonly Usage[]> => {
    const policies = rows.map(toLimitPolicy);
    const buckets = await counters.readBuckets(policies);
    return policies.map((policy, at) => ({ policy, buckets: buckets[at] ?? [] }));
  };

  const shownWith = async (rows: readonly PolicyRow[], isUsageShown = false): Promise<readonly JsonObject[]> => {
    const usages = isUsageShown ? await readUsages(rows) : [];
    return rows.map((row, at) => {
      const usage = usages[at];
      const shown = shownPolicy(row, now());
      if (usage === undefined) return shown;
      return { ...shown, value_key_usage_map: usageMap(usage.policy, usage.buckets, row.type) };
    });
  };

  /** One that its caller may change: no key changes a policy that limits itself. */
  const findChangeable = async (db: Reading, caller: PolicyCaller, id: string): Promise<PolicyRow> => {
    const row = await find(db, caller, { id, status: 'active' });
    refuseForbidden(ownPolicyFaults(toLimitPolicy(row), await readChanger(db, caller.principal)));
    return row;
  };

  /** Sets the counters to 0 whose entities are meant, if none of them is of the caller's own requests. */
  const resetWhere = async (
    row: PolicyRow,
    isMeant: (entity: Entity) => boolean,
    changer: PolicyChanger | undefined,
  ): Promise<void> => {
    for (const { policy, buckets } of await readUsages([row])) {
      const meant = buckets.filter((each) => isMeant(toEntity(policy, each, row.type)));
      for (const { values } of meant) refuseForbidden(ownCounterFaults(policy, values, changer));
      for (const { bucket } of meant) await counters.reset(policy, bucket);
    }
  };

  return {
    async create(caller, place, validate) {
      const { principal, organisation } = caller;
      const createdAt = now();
      refuse(placeFaults(principal, place));
      const draft = validate(createdAt);
      if (place.organisation_id !== undefined && place.organisation_id.toLowerCase() !== organisation)
        throw foreignOrganisation();
      const { tenant } = await resolveNamedWorkspace(caller, place.workspace_id, { store, principal });
      const row: PolicyRow = {
        ...draft,
        ...{ id: newId(createdAt), organisation_id: organisation, workspace_id: tenant, kind, status: 'active' },
        ...{ created_at: createdAt, updated_at: createdAt },
      };
      await store.write(async (writing) => {
        refuseFull('policies', await countActive(writing, tenant));
        await insertPolicy(store, writing, row);
      });
      return row;
    },

    async list(caller, { workspace_id, status, type, unit, page, include_usage }) {
      // A workspace that there is not has no policies.
      const named =
        workspace_id === undefined
          ? {}
          : { workspace_id: (await findWorkspace(store.db, caller.organisation, workspace_id)) ?? '' };
      const where = { ...named, status, ...(type !== undefined && { type }), ...(unit !== undefined && { unit }) };
      const { total, rows } = await listPolicies(store.db, toSight(caller), { kind, where, page });
      return { total, data: await shownWith(rows, include_usage) };
    },

    async get(caller, id, { status, include_usage }) {
      const row = await find(store.db, caller, { id, status });
      const [shown = {}] = await shownWith([row], include_usage);
      return shown;
    },

    async update(caller, id, { make, resetValue }) {
      const after = await applyChange<PolicyRow>(store, {
        find: (db) => findChangeable(db, caller, id),
        make: async (before) => ({ ...make(before, now()), updated_at: now() }),
        replace: (writing, row) => replacePolicy(store, writing, row),
      });
      if (resetValue === undefined) return;
      const changer = await readChanger(store.db, caller.principal);
      await resetWhere(after, ({ value_key }) => value_key === resetValue, changer);
    },

    async archive(caller, id) {
      await applyChange<PolicyRow>(store, {
        find: (db) => findChangeable(db, caller, id),
        make: async (before) => ({ ...before, status: 'archived', updated_at: now() }),
        replace: (writing, row) => replacePolicy(store, writing, row),
      });
    },

    async entities(caller, id, { status, search = '', page: { limit, offset } }) {
      const row = await find(store.db, caller, { id, status });
      const wanted = search.toLowerCase();
      const [usage] = await readUsages([row]);
      if (usage === undefined) return { total: 0, data: [] };
      const found = usage.buckets
        .map((bucket) => toEntity(usage.policy, bucket, row.type))
        .filter(({ value_key }) => value_key.toLowerCase().includes(wanted))
        .sort((a, b) => (a.value_key < b.value_key ? -1 : 1));
      return { total: found.length, data: found.slice(offset, offset + limit) };
    },

    async resetEntity(caller, id, entity) {
      const row = await findChangeable(store.db, caller, id);
      const changer = await readChanger(store.db, caller.principal);
      await resetWhere(row, (each) => each.id === entity.toLowerCase(), changer);
    },
  };
};
