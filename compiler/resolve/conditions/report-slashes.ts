import type { Place, Reporter } from '../../diagnostics/reporter.ts';

/** A regular expression in JavaScript notation. Without flags, it may as well be a path. */
const slashed = /^\/(.+)\/([dgimsuvy]+)$/s;

/** The flags that can be written inside a pattern. The others have no effect in RE2. */
const inPattern = /[ims]/g;

/** Reports a pattern with slashes and flags, which would be matched literally. */
export const reportSlashes = (pattern: string, place: Place, reporter: Reporter): void => {
  const [, inner, flags = ''] = slashed.exec(pattern) ?? [];
  if (inner === undefined) return;
  const kept = [...new Set(flags.match(inPattern))].join('');
  const plain = inner.replaceAll('\\/', '/');
  reporter.report('slashed-pattern', place, { pattern: kept === '' ? plain : `(?${kept})${plain}` });
};
