/** The limits of one request as a whole, with all of its attempts. */
export interface RequestBounds {
  /** The deadline in milliseconds since the request was received; absent if it may take any time. */
  readonly deadlineMs?: number;
  /** The highest cost in US dollars, checked with an estimate before each attempt; absent if it may cost anything. */
  readonly maxCostUsd?: number;
}

/** The longest deadline, in milliseconds, because no timer waits longer. */
export const maxDeadlineMs = 2_147_483_647;

/** The highest cost limit of a request, in US dollars. */
export const maxBoundUsd = 1_000_000;

/** The plan feature of each limit. A gateway that does not know one would let a request exceed it. */
export const requestBoundFeatures: { readonly [Name in keyof Required<RequestBounds>]: string } = {
  deadlineMs: 'deadline',
  maxCostUsd: 'max-cost',
};

const names = Object.keys(requestBoundFeatures) as readonly (keyof RequestBounds)[];

/** Picks the limits from the members of a plan, or of an object from which one is built. */
export const pickBounds = (
  bounds: { readonly [Name in keyof RequestBounds]: RequestBounds[Name] | undefined },
): RequestBounds =>
  Object.fromEntries(names.flatMap((name) => (bounds[name] === undefined ? [] : [[name, bounds[name]]])));

/** Lists the plan features that these limits require. */
export const boundFeatures = (bounds: RequestBounds): readonly string[] =>
  names.flatMap((name) => (bounds[name] === undefined ? [] : [requestBoundFeatures[name]]));

/** Whether a value is a deadline. */
export const isDeadline = (ms: unknown): boolean =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= 1 && ms <= maxDeadlineMs;

/** Whether a value is a cost limit. */
export const isCostBound = (usd: unknown): boolean => typeof usd === 'number' && usd > 0 && usd <= maxBoundUsd;

/** Finds the first invalid limit of a plan, and what it must be. */
export const requestBoundError = ({
  deadlineMs,
  maxCostUsd,
}: {
  readonly deadlineMs?: unknown;
  readonly maxCostUsd?: unknown;
}): { readonly name: keyof RequestBounds; readonly expected: string } | undefined => {
  if (deadlineMs !== undefined && !isDeadline(deadlineMs))
    return { name: 'deadlineMs', expected: `a whole number from 1 to ${maxDeadlineMs}` };
  if (maxCostUsd !== undefined && !isCostBound(maxCostUsd))
    return { name: 'maxCostUsd', expected: `a number above 0, of at most ${maxBoundUsd}` };
  return undefined;
};
