/** The values that are allowed, and those that are blocked. An empty list, or none, is no rule. */
export interface Listed<Value> {
  readonly allowed: readonly Value[] | undefined;
  readonly blocked: readonly Value[] | undefined;
}

/** Why a value is not in order, by two lists. */
export const listedReasons = <Value>(
  value: Value,
  { allowed = [], blocked = [] }: Listed<Value>,
  what: string,
): readonly string[] => [
  ...(blocked.includes(value) ? [`${what}_blocked`] : []),
  ...(allowed.length > 0 && !allowed.includes(value) ? [`${what}_not_allowed`] : []),
];

/** Lists what is wrong with two lists: entries that are in both. */
export const listedErrors = <Value>({ allowed = [], blocked = [] }: Listed<Value>, where: string): readonly string[] =>
  allowed
    .filter((value) => blocked.includes(value))
    .map(
      (value) => `${JSON.stringify(value)} is both allowed and blocked in ${where}. Remove it from one of the lists.`,
    );
