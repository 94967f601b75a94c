/** Service keys as the control plane makes them. */
export const serviceKeyForm: RegExp = /gw-[0-9A-Za-z]{26}-[0-9A-Za-z]{52}-[0-9A-Za-z]{6}/;

const serviceKeys = new RegExp(serviceKeyForm, 'g');
const keyLength = 89;

/** Whether a text contains what has the form of a service key. */
export const hasServiceKey = (text: string): boolean => text.length >= keyLength && serviceKeyForm.test(text);

/** A text that is reported or written down, without the service keys that somebody has put into it by mistake. */
export const withoutServiceKeys = (text: string): string =>
  text.length >= keyLength && text.includes('-') ? text.replaceAll(serviceKeys, 'gw-…') : text;
