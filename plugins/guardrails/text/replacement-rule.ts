/** A replacement, as a config writes it. */
export interface ReplacementRule {
  /** In the syntax of RE2. */
  readonly pattern: string;
  /** Whether every match is replaced, or only the first. */
  readonly all: boolean;
}

const slashed = /^\/(.+)\/([a-z]*)$/s;
/** The flags of JavaScript that RE2 writes inside a pattern. `u` says what RE2 always does. */
const inPattern = new Set(['i', 'm', 's']);
const known = new Set([...inPattern, 'g', 'u']);

/** Reads a plain pattern, whose first match is replaced, or `/pattern/flags`, where `g` replaces all of them. */
export const replacementRule = (rule: string): ReplacementRule => {
  const [, pattern, flags = ''] = slashed.exec(rule) ?? [];
  if (pattern === undefined) return { pattern: rule, all: false };
  const kept = [...new Set(flags)].filter((flag) => inPattern.has(flag)).join('');
  return { pattern: kept === '' ? pattern : `(?${kept})${pattern}`, all: flags.includes('g') };
};

/** The flags of a rule that have no meaning here. */
export const unknownFlags = (rule: string): readonly string[] =>
  [...(slashed.exec(rule)?.[2] ?? '')].filter((flag) => !known.has(flag));
