import type { Detector, Finding } from '../search/finding.ts';
import { entropy } from './entropy.ts';
import { isSample } from './is-sample.ts';

/** The maximum length of a value that is found. */
export const longestValue = 200;

const passwordNames =
  'password|passwd|passphrase|pwd|passwort|kennwort|mot de passe|contraseña|parola|senha|wachtwoord|lösenord|hasło|пароль|密码|パスワード|비밀번호';
const keyNames =
  'api[_ -]?key|apikey|secret[_ -]?key|secret[_ -]?access[_ -]?key|access[_ -]?key|client[_ -]?secret|app[_ -]?secret|auth[_ -]?token|access[_ -]?token|refresh[_ -]?token|bearer[_ -]?token|encryption[_ -]?key|signing[_ -]?key|secret|token';

/** Matches what is between a name and its value: a sign, possibly after some words (`password you asked for:`), or a verb. */
const sign = `["']?(?: [^\\s:="'.,;]{1,12}){0,4}[ \\t]{0,3}(?:=>|:=|==?|:|：| is:?| ist:?| lautet:?| est:?| es:?| é:?| è:?)[ \\t]{0,3}["'\`]?`;
const value = '(?<value>[^\\s"\'`,;<>(){}[\\]]{6,200})';

const after = (names: string, between: string): RegExp =>
  new RegExp(`(?<![A-Za-z])(?:${names})${between}${value}`, 'gi');

const passwords = after(passwordNames, sign);
const keys = after(keyNames, sign);
const besides = after(`${passwordNames}|${keyNames}`, ' ');
const authorization =
  /\bauthorization["']?[ \t]{0,3}[:=][ \t]{0,3}["'`]?(?:bearer|basic|token)[ \t]{1,3}(?<value>[\w.~+/=-]{12,200})/giu;

/** Whether a text is a name, a path, a call, a number or a date, which are not secrets. */
const isCode = (text: string): boolean =>
  /^(?:[a-z_$]+(?:[.:-]{1,2}[a-z_$]+)+|[\d.,:/-]+|[./~$%&].*|\w{1,20}:\/\/.*|0x[0-9a-f]{1,8})$|\\|::/i.test(text);

const hasDigitAndLetter = /^(?=.*\d)(?=.*\p{L})/u;
const hasSignAndLetter = /^(?=.*[!@#$%^&*?~+=])(?=.*\p{L})/u;

/** Removes punctuation that ends a sentence. */
const trimmed = (text: string): string => text.replace(/[.:!?…。]{1,3}$/u, '');

const isPassword = (text: string): boolean =>
  (hasDigitAndLetter.test(text) || hasSignAndLetter.test(text)) && entropy(text) >= 2.3;

const minKey = 16;
const isKey = (text: string): boolean => text.length >= minKey && hasDigitAndLetter.test(text) && entropy(text) >= 3;

/** The minimum length without a sign: only a value that no sentence would have after such a word. */
const minBeside = 8;
const isUnlikeWord = (text: string): boolean =>
  text.length >= minBeside && hasDigitAndLetter.test(text) && entropy(text) >= 2.7;

const find = (text: string, pattern: RegExp, accepts: (value: string) => boolean): readonly Finding[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const found = match.groups?.value ?? '';
    const kept = trimmed(found);
    const from = match.index + match[0].length - found.length;
    return accepts(kept) && !isCode(kept) && !isSample(kept)
      ? [{ kind: 'password', from, to: from + kept.length }]
      : [];
  });

/**
 * Finds values assigned to names such as `password` and `api_key`, if they look random or chosen rather than like words or code.
 */
export const findAssignments: Detector = (text) => [
  ...find(text, passwords, isPassword),
  ...find(text, keys, isKey),
  ...find(text, besides, isUnlikeWord),
  ...find(text, authorization, isKey),
];
