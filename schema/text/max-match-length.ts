/** A step of the engine's program: https://swtch.com/~rsc/regexp/regexp2.html describes them. */
export interface Step {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
}

export interface Program {
  readonly start: number;
  readonly inst: readonly Step[];
}

/** The engine's numbers for the kinds of steps. */
export const steps = {
  alternatives: [1, 2],
  silent: [3, 7],
  between: 4,
  fail: 5,
  match: 6,
  characters: [8, 9, 10, 11],
  anyCharacter: 10,
  anyButLineBreak: 11,
} as const;

export const isOneOf = (ops: readonly number[], op: number): boolean => ops.includes(op);

/** Characters above this take two UTF-16 units. */
const lastOfOneUnit = 0xffff;

/** Returns how many UTF-16 units a step matches. The engine's dot has no list of characters and matches any. */
const toUnits = ({ runes }: Step): number => {
  const last = runes.length === 0 ? undefined : Math.max(...Array.from(runes));
  return last === undefined || last > lastOfOneUnit ? 2 : 1;
};

/**
 * Returns the most UTF-16 units that a match of the program can have. Undefined if there is no limit, or if the program looks at
 * what surrounds a match (`^`, `$`, `\b`), because a part of a text then says nothing about the whole.
 */
export const maxMatchLength = (program: unknown): number | undefined => {
  const { start, inst } = program as Program;
  const known = new Map<number, number | undefined>();
  const open = new Set<number>();

  const longest = (reaches: readonly (number | undefined)[]): number | undefined =>
    reaches.reduce((max, reach) => (max === undefined || reach === undefined ? undefined : Math.max(max, reach)), 0);

  const follow = (step: Step): number | undefined => {
    if (isOneOf(steps.alternatives, step.op)) return longest([findReach(step.out), findReach(step.arg)]);
    if (isOneOf(steps.silent, step.op)) return findReach(step.out);
    if (step.op === steps.match || step.op === steps.fail) return 0;
    if (!isOneOf(steps.characters, step.op)) return undefined;
    const rest = findReach(step.out);
    return rest === undefined ? undefined : rest + toUnits(step);
  };

  const findReach = (at: number): number | undefined => {
    if (known.has(at)) return known.get(at);
    const step = inst[at];
    // A step that leads back to itself is an unbounded repetition.
    if (step === undefined || open.has(at)) return undefined;
    open.add(at);
    const reach = follow(step);
    open.delete(at);
    known.set(at, reach);
    return reach;
  };

  return findReach(start);
};
