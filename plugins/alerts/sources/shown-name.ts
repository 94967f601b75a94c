import { withoutCredentials } from '../../../schema/credentials/credential-form.ts';
import { seenJson } from '../../../schema/json/seen-json.ts';
import { cutText } from '../messages/alert-text.ts';

const longest = 120;

/** A name in quotes: somebody else chose it, and may have put a credential there, and terminals and pages show it. */
export const shownName = (name: string): string => seenJson(JSON.stringify(cutText(withoutCredentials(name), longest)));

/** A name without quotes, for a list of names. */
export const plainName = (name: string): string => shownName(name).slice(1, -1);
