/** Service keys as the control plane makes them. */
const serviceKey = /gw-[0-9a-z]{26}-[0-9a-z]{52}-[0-9a-z]{6}/gi;
const keyLength = 89;

/** A text that is told or written down, without the service keys that somebody has put into it by mistake. */
export const withoutServiceKeys = (text: string): string =>
  text.length >= keyLength && text.includes('-') ? text.replaceAll(serviceKey, 'gw-…') : text;
