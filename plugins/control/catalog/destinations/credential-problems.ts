import { toPointer } from '../../../../schema/json/pointer.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { validateHeaderValue } from '../../../sdk/http/node-http.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { toCredentialFields } from './credential-fields.ts';
import type { Destination, GivenCredential } from './destination.ts';
import { referenceProblems } from './references.ts';

const unknownField = (provider: Provider, field: string): Problem => {
  const known = toCredentialFields(provider);
  const message = `The provider ${provider.id} has no credential "${field}".`;
  if (provider.settings?.includes(field)) return problem(['credential', field], message, 'Move it to "settings".');
  const closest = closestName(field, known);
  if (closest !== undefined) return problem(['credential', field], message, `Did you mean "${closest}"?`);
  const hint = known.length === 0 ? 'Leave it out: it takes none.' : `Use one of ${known.join(', ')}.`;
  return problem(['credential', field], message, hint);
};

const fieldProblems = (provider: Provider, [field, value]: readonly [string, string]): readonly Problem[] => {
  if (!toCredentialFields(provider).includes(field)) return [unknownField(provider, field)];
  if (value.trim() === '') return [problem(['credential', field], 'This credential is empty.', 'Send the secret.')];
  return referenceProblems(value, toPointer(['credential', field]));
};

/** Whether headers that a provider makes can be sent. */
const isSendable = (provider: Provider, { settings }: Destination, credential: GivenCredential): boolean => {
  try {
    const headers = provider.headers(credential, settings);
    for (let at = 0; at + 1 < headers.length; at += 2) validateHeaderValue(headers[at] ?? '', headers[at + 1] ?? '');
    return true;
  } catch {
    return false;
  }
};

const headerProblems = (provider: Provider, destination: Destination): readonly Problem[] => {
  const { credential } = destination;
  if (isSendable(provider, destination, credential)) return [];
  const harmless = Object.fromEntries(Object.keys(credential).map((field) => [field, 'x']));
  if (!isSendable(provider, destination, harmless))
    return [problem(['settings'], 'These settings cannot be sent in headers.', 'Leave out line breaks and the like.')];
  const bad = Object.keys(credential).filter(
    (field) => !isSendable(provider, destination, { ...harmless, [field]: credential[field] ?? '' }),
  );
  return (bad.length === 0 ? [[]] : bad).map((field) =>
    problem(
      ['credential', ...[field].flat()],
      'This credential cannot be sent in a header.',
      'Copy it again: it may have a line break or another control character in it.',
    ),
  );
};

const missing = (provider: Provider, { settings, credential }: Destination): readonly Problem[] => {
  if (provider.credential !== 'required' || Object.keys(credential).length > 0) return [];
  // What stands in front of a provider of one's own may need none.
  if (settings.custom_host !== undefined || provider.usesMachineIdentity?.(settings) === true) return [];
  const [main = 'api_key'] = toCredentialFields(provider);
  return [
    problem(['credential'], `The provider ${provider.id} needs a credential.`, `Add "credential": { "${main}": … }.`),
  ];
};

/** What is wrong with a credential. Placeholders are validated elsewhere. */
export const credentialProblems = (provider: Provider, destination: Destination): readonly Problem[] => {
  const found = [
    ...Object.entries(destination.credential).flatMap((entry) => fieldProblems(provider, entry)),
    ...missing(provider, destination),
  ];
  return found.length > 0 ? found : headerProblems(provider, destination);
};
