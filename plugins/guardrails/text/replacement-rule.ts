/** A replacement, as a config writes it. */
export interface ReplacementRule {
  /** A pattern in RE2 syntax. */
  readonly pattern: string;
  /** Whether every match is replaced, rather than only the first. */
  readonly all: boolean;
}

const slashed = /^\/(.+)\/([a-z]*)$/s;
/** The JavaScript flags that RE2 writes inside a pattern. `u` is always on in RE2. */
const inPattern = new Set(['i', 'm', 's']);
const known = new Set([...inPattern, 'g', 'u']);

/** Reads a plain pattern, whose first match is replaced, or `/pattern/flags`, in which `g` replaces all matches. */
export const replacementRule = (rule: string): ReplacementRule => {
  const [, pattern, flags = ''] = slashed.exec(rule) ?? [];
  if (pattern === undefined) return { pattern: rule, all: false };
  const kept = [...new Set(flags)].filter((flag) => inPattern.has(flag)).join('');
  return { pattern: kept === '' ? pattern : `(?${kept})${pattern}`, all: flags.includes('g') };
};

/** Returns the flags of a rule that have no meaning here. */
export const unknownFlags = (rule: string): readonly string[] =>
  [...(slashed.exec(rule)?.[2] ?? '')].filter((flag) => !known.has(flag));
