/** A usage policy with its usage, as `GET /policies/usage-limits` lists it. */
export interface UsagePolicy {
  readonly id: string;
  readonly name: string | null;
  readonly type?: string;
  readonly credit_limit?: number;
  readonly value_key_usage_map?: Readonly<Record<string, { readonly current_usage: number }>>;
}

/** A counter of a policy that has nearly reached its limit. */
export interface NearLimit {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The values for which it counts. */
  readonly who: string;
  readonly used: number;
  readonly limit: number;
}

const near = 0.8;
const max = 10;

const shareOf = ({ used, limit }: NearLimit): number => used / limit;

/** Lists at most ten counters that have used 80 % of their limit or more, the fullest first. */
export const nearLimit = (policies: readonly UsagePolicy[]): readonly NearLimit[] =>
  policies
    .flatMap(({ id, name, type = '', credit_limit: limit = 0, value_key_usage_map: usages = {} }) =>
      Object.entries(usages).map(([who, { current_usage: used }]) => ({
        ...{ id: `${id} ${who}`, name: name ?? id, type, who, used, limit },
      })),
    )
    .filter((counter) => counter.limit > 0 && shareOf(counter) >= near)
    .sort((a, b) => shareOf(b) - shareOf(a))
    .slice(0, max);
