import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';

/** https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 */
const longestLocal = 64;
/** The maximum length of an address. */
export const longestEmail = 254;

/** Matches characters that are used before the `@` in practice. */
const local = /[\p{L}\p{N}.!%+~_-]/u;
const notFirst = /^[.!%+~-]+/;
const domain = /(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24})(?![\p{L}\p{N}_@])/uy;

/** Suffixes of files and of systemd units, which are not top-level domains: `getty@tty1.service`, `icon@2x.png`. */
const noDomains =
  /\.(?:service|socket|target|mount|timer|slice|scope|device|swap|automount|path|png|jpe?g|gif|svg|webp|css|js|mjs|ts|json|html?|txt|conf|local|localhost|localdomain|internal|invalid)$/i;

/** Accounts of programs. */
const programs = /^(?:git|hg|svn)$/i;

const localBegin = (text: string, at: number): number => {
  let from = at;
  while (from > 0 && at - from < longestLocal && local.test(text.charAt(from - 1))) from -= 1;
  return from + (notFirst.exec(text.slice(from, at))?.[0].length ?? 0);
};

const domainEnd = (text: string, at: number): number | undefined => {
  domain.lastIndex = at;
  const found = domain.exec(text)?.[0];
  return found === undefined || noDomains.test(found) ? undefined : at + found.length;
};

/** Finds e-mail addresses of people and mailboxes. */
export const findEmails: Detector = (text) => {
  const found: Finding[] = [];
  for (const at of marksIn(text, '@')) {
    const from = localBegin(text, at);
    if (from === at || text.charAt(at - 1) === '.' || programs.test(text.slice(from, at))) continue;
    const to = domainEnd(text, at + 1);
    if (to !== undefined && to - from <= longestEmail) found.push({ kind: 'email', from, to });
  }
  return found;
};
