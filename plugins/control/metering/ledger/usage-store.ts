import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../../schema/durations.ts';
import type { Store } from '../../kernel/store/store.ts';
import { type SummedColumn, summedColumns } from './ledger-columns.ts';

/** A dimension of usage, besides labels. */
export type UsageDimension = 'workspace' | 'key' | 'model' | 'provider' | 'config' | 'day' | 'hour';

/** The owner and the period of the requested usage. */
export interface UsageQuery {
  readonly organisation: string;
  /** All workspaces if absent. */
  readonly workspace?: string | undefined;
  /** Milliseconds since the epoch, at the beginning of an hour, or of a day if a label is requested. */
  readonly from: number;
  readonly to: number;
  readonly by: readonly UsageDimension[];
  /** The label to group by. */
  readonly byLabel?: string | undefined;
  readonly only: Readonly<Partial<Record<'key' | 'model' | 'provider' | 'config', string | undefined>>>;
  /** Only attempts with this label. */
  readonly onlyLabel?: { readonly name: string; readonly value: string } | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Sums as the database returns them; the cost in digits. */
export type UsageSums = Readonly<Record<Exclude<SummedColumn, 'nano_usd'>, number>> & { readonly nano_usd: string };

/** The sums of one group. */
export type UsageGroup = UsageSums &
  Readonly<Partial<Record<UsageDimension, string | number>>> & {
    /** The value of the label; null for attempts without it, and for values that share a row. */
    readonly label?: string | null;
    readonly is_other?: number;
  };

type Part = RawBuilder<unknown>;

const columns: Readonly<Record<Exclude<UsageDimension, 'day' | 'hour'>, string>> = {
  ...{ workspace: 'workspace_id', key: 'key_id', model: 'model', provider: 'provider', config: 'config' },
};

const listed = (parts: readonly Part[]): Part => sql.join([...parts]);

const conditions = (query: UsageQuery, at: 'hour' | 'day'): readonly Part[] => {
  const { organisation, workspace, from, to, only } = query;
  const place =
    workspace === undefined
      ? sql`organisation_id = ${organisation}`
      : sql`workspace_id = ${workspace} and organisation_id = ${organisation}`;
  const named = (['key', 'model', 'provider', 'config'] as const).flatMap((name) =>
    only[name] === undefined ? [] : [sql`${sql.ref(columns[name])} = ${only[name]}`],
  );
  return [place, sql`${sql.ref(at)} >= ${from}`, sql`${sql.ref(at)} < ${to}`, ...named];
};

const dimension = (name: UsageDimension, at: 'hour' | 'day'): Part => {
  if (name === 'hour') return sql.ref(at);
  if (name !== 'day') return sql.ref(columns[name]);
  // Bound parameters are not integers to SQLite, so its division would have a fraction.
  return sql`${sql.ref(at)} / ${sql.lit(dayMs)} * ${sql.lit(dayMs)}`;
};

const sums = (prefix: Part): Part =>
  listed(summedColumns.map((column) => sql`${prefix}sum(${sql.ref(column)}) as ${sql.ref(column)}`));

/** Selects the rows of a table, in groups. */
const grouped = (query: UsageQuery, table: 'usage_hours' | 'usage_labels'): Part => {
  const at = table === 'usage_hours' ? 'hour' : 'day';
  const { by, byLabel, onlyLabel } = query;
  const name = onlyLabel?.name ?? byLabel;
  const named = by.map((each) => ({ name: each, part: dimension(each, at) }));
  const hasLabel = byLabel !== undefined && table === 'usage_labels';
  const all = [...named.map(({ part }) => part), ...(hasLabel ? [sql`value`, sql`is_other`] : [])];
  const selected = [
    ...named.map(({ name: as, part }) => sql`${part} as ${sql.ref(as)}`),
    ...(hasLabel ? [sql`case when is_other = 0 then value end as label`, sql`is_other`] : []),
    sums(sql``),
  ];
  const where = [
    ...conditions(query, at),
    ...(table === 'usage_labels' && name !== undefined ? [sql`name = ${name}`] : []),
    ...(onlyLabel === undefined ? [] : [sql`value = ${onlyLabel.value}`, sql`is_other = 0`]),
  ];
  const groups = all.length === 0 ? sql`` : sql`group by ${listed(all)}`;
  return sql`select ${listed(selected)} from ${sql.table(table)} where ${sql.join(where, sql` and `)} ${groups}`;
};

/** Selects the groups that have the label, and for each group of the other dimensions, what remains without it. */
const withUnlabelled = (query: UsageQuery): Part => {
  const names = query.by.map((name) => sql.ref(name));
  const keys = listed([...names, sql`label`, sql`is_other`]);
  const negative = listed(summedColumns.map((column) => sql`-${sql.ref(column)}`));
  const plain = listed(summedColumns.map((column) => sql.ref(column)));
  const nobody = listed([...names, sql`cast(null as text) as label`, sql`0 as is_other`]);
  return sql`
    select ${keys}, ${sums(sql``)} from (
      select ${keys}, ${plain} from labelled
      union all select ${nobody}, ${plain} from everything
      union all select ${nobody}, ${negative} from labelled
    ) as parts group by ${keys}`;
};

const toGroupColumns = (query: UsageQuery): Part => {
  const { onlyLabel, byLabel } = query;
  if (onlyLabel !== undefined || byLabel === undefined)
    return sql`with groups as (${grouped(query, onlyLabel === undefined ? 'usage_hours' : 'usage_labels')})`;
  return sql`with labelled as (${grouped(query, 'usage_labels')}), everything as (${grouped(query, 'usage_hours')}),
    groups as (${withUnlabelled(query)})`;
};

const isTime = (name: UsageDimension): boolean => name === 'day' || name === 'hour';

const labelColumns = [sql`is_other`, sql`label`];

/** Sorts by time first and then by the highest cost. Rows that are equal in both have a stable order. */
const order = ({ by, byLabel }: UsageQuery): Part => {
  const times = (['day', 'hour'] as const).filter((name) => by.includes(name));
  const others = by.filter((name) => !isTime(name));
  return listed([
    ...times.map((name) => sql.ref(`groups.${name}`)),
    ...[sql`groups.nano_usd desc`, sql`groups.attempts desc`],
    ...[...others.map((name) => sql.ref(`groups.${name}`)), ...(byLabel === undefined ? [] : labelColumns)],
  ]);
};

const shownSums = listed(
  summedColumns.map((column) => {
    if (column !== 'nano_usd') return sql`coalesce(${sql.ref(column)}, 0) as ${sql.ref(column)}`;
    return sql`cast(coalesce(nano_usd, 0) as text) as nano_usd`;
  }),
);

export interface UsageGroups {
  /** The number of groups on all pages. Each has an attempt. */
  readonly total: number;
  /** The groups of the page. */
  readonly groups: readonly UsageGroup[];
  /** The sums of all groups, which cover everything that the query selects. */
  readonly summary: UsageSums;
}

/** Returns a page of the groups of a query, with the total of all pages, in a single query. */
export const usageGroups = async (db: Store['db'], query: UsageQuery): Promise<UsageGroups> => {
  const { by, byLabel, limit, offset } = query;
  // The columns that groups are distinguished by, which are empty in the row of the total.
  const page = [...by.map((name) => sql.ref(name)), ...(byLabel === undefined ? [] : labelColumns)];
  const named = [
    ...by.map((name) => sql`cast(null as ${isTime(name) ? sql`bigint` : sql`text`}) as ${sql.ref(name)}`),
    ...(byLabel === undefined ? [] : [sql`0 as is_other`, sql`cast(null as text) as label`]),
  ];
  const { rows } = await sql<UsageGroup & { readonly total: number }>`${toGroupColumns(query)},
    page as (
      select row_number() over (order by ${order(query)}) as place, groups.* from groups where groups.attempts <> 0
      order by place limit ${limit} offset ${offset}
    ),
    whole as (select count(*) as total, ${sums(sql``)} from groups where groups.attempts <> 0)
    select ${listed([sql`0 as place`, sql`total`, ...named])},
      ${shownSums} from whole
    union all select ${listed([sql`place`, sql`0`, ...page])}, ${shownSums} from page
    order by 1`.execute(db);
  const [summary, ...groups] = rows;
  if (summary === undefined) throw new TypeError('The total of a report is one row.');
  return { total: summary.total, groups, summary };
};
