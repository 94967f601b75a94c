/** The allowed and the blocked values. An empty or absent list imposes no rule. */
export interface Listed<Value> {
  readonly allowed: readonly Value[] | undefined;
  readonly blocked: readonly Value[] | undefined;
}

/** Returns why a value violates the two lists. */
export const listedReasons = <Value>(
  value: Value,
  { allowed = [], blocked = [] }: Listed<Value>,
  what: string,
): readonly string[] => [
  ...(blocked.includes(value) ? [`${what}_blocked`] : []),
  ...(allowed.length > 0 && !allowed.includes(value) ? [`${what}_not_allowed`] : []),
];

/** Returns the errors in two lists: entries that are in both. */
export const listedErrors = <Value>({ allowed = [], blocked = [] }: Listed<Value>, where: string): readonly string[] =>
  allowed
    .filter((value) => blocked.includes(value))
    .map(
      (value) => `${JSON.stringify(value)} is both allowed and blocked in ${where}. Remove it from one of the lists.`,
    );
