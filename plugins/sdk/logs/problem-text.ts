import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Formats a problem: `upstream-401 at main (config.targets[0]), attempt 1: Check the credential of the target.`, or
 * `unknown-config (the config "chat"): Send the name of a saved config.` Unknown parts are omitted.
 */
export const problemText = ({ cause, about, target, path, attempt, hint }: JsonObject): string => {
  const place = [target, path === undefined || target === undefined ? path : `(${path})`].filter(Boolean).join(' ');
  return [
    String(cause),
    about === undefined ? '' : ` (${about})`,
    place === '' ? '' : ` at ${place}`,
    attempt === undefined ? '' : `, attempt ${attempt}`,
    hint === undefined ? '' : `: ${hint}`,
  ].join('');
};
