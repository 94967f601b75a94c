import type { Place, Reporter } from '../../diagnostics/reporter.ts';

/** A regular expression as JavaScript writes it. Without flags it may as well be a path. */
const slashed = /^\/(.+)\/([dgimsuvy]+)$/s;

/** The flags that a pattern can have inside, where RE2 does not mean them anyway. */
const inPattern = /[ims]/g;

/** Reports a pattern that is written with slashes and flags, which are searched for as they are. */
export const reportSlashes = (pattern: string, place: Place, reporter: Reporter): void => {
  const [, inner, flags = ''] = slashed.exec(pattern) ?? [];
  if (inner === undefined) return;
  const kept = [...new Set(flags.match(inPattern))].join('');
  const plain = inner.replaceAll('\\/', '/');
  reporter.report('slashed-pattern', place, { pattern: kept === '' ? plain : `(?${kept})${plain}` });
};
