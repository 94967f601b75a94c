import { withoutCredentials } from '../../../schema/credentials/credential-form.ts';
import { escapeUnprintableJson } from '../../../schema/json/escape-unprintable-json.ts';
import { cutText } from '../messages/alert-text.ts';

const longest = 120;

/**
 * Returns a name in quotes, without credentials and with unprintable characters escaped, because somebody else chose it, and
 * terminals and pages show it.
 */
export const shownName = (name: string): string =>
  escapeUnprintableJson(JSON.stringify(cutText(withoutCredentials(name), longest)));

/** Returns a name without quotes, for a list of names. */
export const plainName = (name: string): string => shownName(name).slice(1, -1);
