import { fromJson } from '../../../../schema/json/from-json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { countRows, type Reading } from '../records/records.ts';
import type { IntegrationRow, KeyRow, PolicyRow, ProviderRow, WorkspaceRow } from '../store/tables.ts';
import { type ConditionBody, type GroupBody, toPolicyCondition } from './conditions.ts';
import { type CounterReader, type LimitPolicy, noCounters, type PolicyCondition, type Reset } from './limit-policy.ts';
import { type OwnLimits, ownWeek, type RateLimit, storedLimits } from './own-limits.ts';
import { readLimitsOrRefuseAll } from './readable-policy.ts';
import { toReset, toUnit } from './usage-limits.ts';

/** Returns when the counters of a policy start again. Weeks begin on Mondays. */
export const resetOfPolicy = (row: PolicyRow): Reset =>
  row.unit === null ? toReset(row, 'monday') : { every: windows[row.unit] };

const readPolicy = (row: PolicyRow): LimitPolicy => {
  const conditions = fromJson(row.conditions) as readonly ConditionBody[];
  const groups = fromJson(row.group_by) as readonly GroupBody[];
  return {
    id: row.id,
    name: row.name ?? row.id,
    kind: row.kind,
    conditions: conditions.map(toPolicyCondition),
    groupBy: groups.map(({ key }) => key),
    unit: toUnit(row.type),
    limit: row.amount,
    reset: resetOfPolicy(row),
    ...(row.alert_at !== null && { alertAt: row.alert_at }),
    ifUnknown: row.if_unknown,
  };
};

/** Converts a policy to the form that requests need. A policy that cannot be read may cover any request of its workspace. */
export const toLimitPolicy = (row: PolicyRow): LimitPolicy => {
  const { id, name } = row;
  const [policy] = readLimitsOrRefuseAll({ id, name: name ?? id, conditions: [] }, () => [readPolicy(row)] as const);
  return policy;
};

/** Where policies are in force: in a workspace, or in a whole organisation. */
export interface PolicyPlace {
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

/** Reads the policies that are in force, without the limits of keys, workspaces and providers themselves. */
export const activePolicies = async (
  db: Reading,
  { organisation, workspace }: PolicyPlace,
): Promise<readonly LimitPolicy[]> => {
  const rows = await db
    .selectFrom('policies')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where('status', '=', 'active')
    .where((where) => where.and(workspace === undefined ? {} : { workspace_id: workspace }))
    .execute();
  return rows.map(toLimitPolicy);
};

/** Counts the policies of both kinds that are in force in a workspace. */
export const countActive = (db: Reading, workspace: string): Promise<number> =>
  countRows(db.selectFrom('policies').where('workspace_id', '=', workspace).where('status', '=', 'active'));

/** A record with limits of its own. */
interface Limited {
  /** The id of the record, with which the ids of its limits begin. */
  readonly id: string;
  /** The name shown to people. */
  readonly name: string;
  /** As they are stored. */
  readonly limits: string | null;
  /** The conditions that select the record's own requests. */
  readonly conditions: readonly PolicyCondition[];
}

const windows = { rps: 'second', rpm: 'minute', rph: 'hour', rpd: 'day', rpw: ownWeek } as const;

const equal = (key: string, values: readonly string[]): PolicyCondition => ({ key, values, excludes: [] });

/** Whether a limit belongs to a key, a workspace or a provider itself. Such limits cannot be reset. */
export const isOwnPolicy = ({ id }: Pick<LimitPolicy, 'id'>): boolean => id.includes('/');

/** Selects the requests to the saved providers or virtual keys with these slugs. */
const bySlugs = (slugs: readonly string[]): readonly PolicyCondition[] => [equal('virtual_key', slugs)];

type Usage = NonNullable<OwnLimits['usage_limits']>;

const usagePolicy = ({ id, name, conditions }: Limited, usage: Usage): LimitPolicy => ({
  ...{ id: `${id}/usage/${usage.type}`, name, kind: 'usage', conditions, groupBy: [] },
  ...{ unit: toUnit(usage.type), limit: usage.amount, reset: toReset(usage, ownWeek) },
  ...(usage.alert_at !== null && { alertAt: usage.alert_at }),
  ifUnknown: 'allow',
});

const ratePolicy = ({ id, name, conditions }: Limited, { type, unit, value }: RateLimit): LimitPolicy => ({
  ...{ id: `${id}/${type}/${unit}`, name, kind: 'rate', conditions, groupBy: [] },
  ...{ unit: toUnit(type), limit: value, reset: { every: windows[unit] }, ifUnknown: 'allow' },
});

/** Returns all limits of a record itself, in the form that requests need. At most one is a usage limit, which comes first. */
export const ownPolicies = (limited: Limited): readonly LimitPolicy[] => {
  const { id, name, conditions, limits } = limited;
  return readLimitsOrRefuseAll({ id: `${id}/unreadable`, name, conditions }, () => {
    const { usage_limits: usage, rate_limits: rates } = storedLimits(limits);
    const ofRates = rates.map((rate) => ratePolicy(limited, rate));
    return usage === null ? ofRates : [usagePolicy(limited, usage), ...ofRates];
  });
};

export const limitedKey = ({ id, name, limits }: Pick<KeyRow, 'id' | 'name' | 'limits'>): Limited => ({
  ...{ id, name: `key ${name}`, limits },
  conditions: [equal('api_key', [id])],
});

export const limitedWorkspace = ({ id, name, limits }: Pick<WorkspaceRow, 'id' | 'name' | 'limits'>): Limited => ({
  ...{ id, name: `workspace ${name}`, limits, conditions: [] },
});

export const limitedProvider = ({
  id,
  kind,
  slug,
  limits,
}: Pick<ProviderRow, 'id' | 'kind' | 'slug' | 'limits'>): Limited => ({
  ...{ id, name: `${kind === 'provider' ? 'provider' : 'virtual key'} ${slug}`, limits },
  conditions: bySlugs([slug]),
});

/** The limits of an integration in each workspace, by the id of the workspace. */
export interface WorkspaceLimits {
  readonly [workspace: string]: OwnLimits;
}

/** Parses stored limits. The store contains only what the rules accepted. */
export const storedWorkspaceLimits = (text: string | null): WorkspaceLimits =>
  text === null ? {} : (fromJson(text) as WorkspaceLimits);

/** Returns the stored limits of one workspace, or all of them if they cannot be parsed. */
const limitsIn = (text: string | null, workspace: string): string | null => {
  const all = text === null ? {} : parseObject(text);
  if (all === undefined) return text;
  const limits = all[workspace];
  return limits === undefined ? null : JSON.stringify(limits);
};

/** Describes an integration in a workspace, with the slugs of all providers there that use it. */
export const limitedIntegration = (
  {
    id,
    name,
    workspace_limits,
    workspace_id,
  }: Pick<IntegrationRow, 'id' | 'name' | 'workspace_limits'> & { readonly workspace_id: string },
  slugs: readonly string[],
): Limited => ({
  ...{ id: `${id}/${workspace_id}`, name: `integration ${name}` },
  limits: limitsIn(workspace_limits, workspace_id),
  conditions: bySlugs(slugs),
});

/** Returns the ids of the records whose own usage limit is used up. */
export const readExhausted = async (
  limited: readonly Limited[],
  counters: CounterReader = noCounters,
): Promise<ReadonlySet<string>> => {
  const budgets = limited.flatMap((each) => {
    const [policy] = ownPolicies(each);
    return policy?.kind === 'usage' && policy.isUnreadable !== true ? [{ id: each.id, policy }] : [];
  });
  if (budgets.length === 0) return new Set();
  const buckets = await counters.readBuckets(budgets.map(({ policy }) => policy));
  const sums = buckets.map((each) => each.reduce((sum, { used }) => sum + used, 0));
  return new Set(budgets.filter(({ policy }, at) => (sums[at] ?? 0) >= policy.limit).map(({ id }) => id));
};
