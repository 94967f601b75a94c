import { type RawBuilder, sql } from 'kysely';
import type { LogStore } from './writer/log-store.ts';

/** The sums of one arm of the requests that a mirror copied. */
export interface ArmSums {
  readonly config: string;
  /** The mirror's node, as a JSON Pointer. */
  readonly path: string;
  readonly arm: string;
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
  /** Requests with a status of 400 or above. */
  readonly errors: number;
  readonly micros: number;
  readonly most_micros: number;
  /** In billionths of a US dollar, for requests whose cost is known. */
  readonly cost: number;
  readonly unpriced: number;
  /** Requests that checks judged, and those that passed. */
  readonly judged: number;
  readonly passed: number;
  /** Feedback of callers: the number, the sum of the weighted values, and the sum of the weights, in millionths. */
  readonly feedback: number;
  readonly weighed: number;
  readonly weights: number;
}

export interface ArmRange {
  readonly tenant: string;
  /** In milliseconds since the epoch: from `min`, inclusive, to `max`, exclusive. */
  readonly min: number;
  readonly max: number;
  readonly config?: string | undefined;
}

const groups = ['config', 'path', 'arm', 'provider', 'model'] as const;

type Group = Pick<ArmSums, (typeof groups)[number]>;

const columns = sql.join(groups.map((name) => sql.ref(`arms.${name}`)));

const conditions = ({ tenant, min, max, config }: ArmRange): RawBuilder<unknown> =>
  sql.join(
    [
      sql`arms.workspace_id = ${tenant}`,
      sql`arms.created_at >= ${min} and arms.created_at < ${max}`,
      ...(config === undefined ? [] : [sql`arms.config = ${config}`]),
    ],
    sql` and `,
  );

const count = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`sum(case when ${condition} then 1 else 0 end)`;

type Counts = Omit<ArmSums, keyof Group | 'feedback' | 'weighed' | 'weights'>;
type Judgements = Pick<ArmSums, 'feedback' | 'weighed' | 'weights'>;

/** PostgreSQL returns sums as texts. */
const asNumbers = <Row extends Group>({ config, path, arm, provider, model, ...sums }: Row): Row =>
  ({
    ...{ config, path, arm, provider, model },
    ...Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Number(value)])),
  }) as Row;

const keyOf = ({ config, path, arm, provider, model }: Group): string =>
  JSON.stringify([config, path, arm, provider, model]);

/** The maximum number of listed arms, because callers choose models. Those with the most requests are listed. */
export const maxArms = 1000;

const largest = sql`group by ${columns} order by count(*) desc, ${columns} limit ${sql.lit(maxArms)}`;

const isListed = sql.join(
  groups.map((name) => sql`${sql.ref(`arms.${name}`)} = ${sql.ref(`listed.${name}`)}`),
  sql` and `,
);

/** Reads the sums of a workspace's arms: for each node, first that of the clients. */
export const sumArms = async ({ db }: Pick<LogStore, 'db'>, range: ArmRange): Promise<readonly ArmSums[]> => {
  const counted = await sql<Group & Counts>`select ${columns}, count(*) as requests,
      ${count(sql`arms.status >= 400`)} as errors, sum(arms.micros) as micros, max(arms.micros) as most_micros,
      coalesce(sum(arms.cost), 0) as cost, ${count(sql`arms.cost is null`)} as unpriced,
      ${count(sql`arms.verdict is not null`)} as judged, ${count(sql`arms.verdict = 'passed'`)} as passed
    from log_arms as arms where ${conditions(range)} ${largest}`.execute(db);
  const judged = await sql<Group & Judgements>`with listed as (
      select ${columns} from log_arms as arms where ${conditions(range)} ${largest})
    select ${columns}, count(*) as feedback,
      sum(given.value * given.weight) as weighed, sum(given.weight) as weights
    from log_arms as arms join log_feedback as given
      on given.workspace_id = arms.workspace_id and given.trace_id = arms.trace_id
      join listed on ${isListed}
    where ${conditions(range)} group by ${columns}`.execute(db);
  const judgements = new Map(judged.rows.map((row) => [keyOf(row), asNumbers(row)]));
  const none = { feedback: 0, weighed: 0, weights: 0 };
  return counted.rows
    .map((row) => {
      const { feedback, weighed, weights } = judgements.get(keyOf(row)) ?? none;
      return { ...asNumbers(row), feedback, weighed, weights };
    })
    .toSorted((one, other) => {
      const places = [one, other].map(({ config, path }) => JSON.stringify([config, path]));
      if (places[0] !== places[1]) return (places[0] ?? '') < (places[1] ?? '') ? -1 : 1;
      return one.arm === other.arm ? other.requests - one.requests : other.arm < one.arm ? -1 : 1;
    });
};
