import type { Credential } from './provider.ts';

/** A shorter piece of a secret does not reveal it. Messages of `JSON.parse`, for example, quote ten characters. */
const shortest = 8;
const shortestSecret = 4;
const longestShown = 300;
const mask = '…';

/** Masks every piece of a credential in a message, because an error may quote part of what it could not parse. */
export const withoutSecrets = (message: string, credential: Credential): string => {
  const shown = message.slice(0, longestShown);
  const characters = Array.from({ length: shown.length }, (_, at) => shown.charAt(at));
  for (const secret of Object.values(credential)) {
    if (secret === undefined || secret.length < shortestSecret) continue;
    const width = Math.min(shortest, secret.length);
    for (let at = 0; at + width <= shown.length; at += 1)
      if (secret.includes(shown.slice(at, at + width))) characters.fill(mask, at, at + width);
  }
  return characters.join('').replace(/…+/g, mask);
};
