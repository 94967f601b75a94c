/** Matches service keys as the control plane creates them, in upper case too: lower case makes such a text a key again. */
export const serviceKeyForm: RegExp = /[Gg][Ww]-[0-9A-Za-z]{26}-[0-9A-Za-z]{52}-[0-9A-Za-z]{6}/;

const serviceKeys = new RegExp(serviceKeyForm, 'g');
const keyLength = 89;

/** Whether a text contains something that has the form of a service key. */
export const hasServiceKey = (text: string): boolean => text.length >= keyLength && serviceKeyForm.test(text);

/** Returns a text for a report or a log, without service keys that were put into it by mistake. */
export const withoutServiceKeys = (text: string): string =>
  text.length >= keyLength && text.includes('-') ? text.replaceAll(serviceKeys, 'gw-…') : text;
