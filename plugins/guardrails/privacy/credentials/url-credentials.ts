import type { Detector, Finding } from '../search/finding.ts';
import { marksIn } from '../search/marks-in.ts';
import { isSample } from './is-sample.ts';

const userInfo = /([^\s/:@?#"'`<>[\]{}|\\^]{0,128}):([^\s/@"'`<>[\]\\]{1,160})@(?=[\p{L}\p{N}[])/uy;
const placeholderShape =
  /^(?:pass|password|passwd|pwd|pw|secret|token|passwort|mypass|pass123|user|username|\$\w{1,40}|x-oauth-basic)$/i;

/** The maximum length of a user name and password that are found. */
export const longestUserInfo = 300;

/** Finds user names and passwords in URLs: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1. */
export const findUrlCredentials: Detector = (text) => {
  const found: Finding[] = [];
  for (const at of marksIn(text, '://')) {
    userInfo.lastIndex = at + 3;
    const [all, , password] = userInfo.exec(text) ?? [];
    if (all === undefined || password === undefined || placeholderShape.test(password) || isSample(all)) continue;
    found.push({ kind: 'url-credentials', from: at + 3, to: at + 3 + all.length - 1 });
  }
  return found;
};
