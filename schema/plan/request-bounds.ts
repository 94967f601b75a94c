/** The bounds of one request as a whole, with all of its attempts. */
export interface RequestBounds {
  /** Milliseconds from when it was received; absent if it may take any time. */
  readonly deadlineMs?: number;
}

/** The longest deadline, in milliseconds: no timer waits longer. */
export const maxDeadlineMs = 2_147_483_647;

/** The plan feature of each bound: a gateway that does not know one would let a request exceed it. */
export const requestBoundFeatures: { readonly [Name in keyof Required<RequestBounds>]: string } = {
  deadlineMs: 'deadline',
};

const names = Object.keys(requestBoundFeatures) as readonly (keyof RequestBounds)[];

/** The bounds among the members of a plan, or of what it is made of. */
export const pickBounds = (
  bounds: { readonly [Name in keyof RequestBounds]: RequestBounds[Name] | undefined },
): RequestBounds =>
  Object.fromEntries(names.flatMap((name) => (bounds[name] === undefined ? [] : [[name, bounds[name]]])));

/** The plan features that these bounds require. */
export const boundFeatures = (bounds: RequestBounds): readonly string[] =>
  names.flatMap((name) => (bounds[name] === undefined ? [] : [requestBoundFeatures[name]]));

/** The first invalid bound of a plan, and what belongs there. */
export const requestBoundError = ({
  deadlineMs = 1,
}: {
  readonly deadlineMs?: unknown;
}): { readonly name: keyof RequestBounds; readonly expected: string } | undefined => {
  const isDeadline =
    typeof deadlineMs === 'number' && Number.isInteger(deadlineMs) && deadlineMs >= 1 && deadlineMs <= maxDeadlineMs;
  return isDeadline ? undefined : { name: 'deadlineMs', expected: `a whole number from 1 to ${maxDeadlineMs}` };
};
