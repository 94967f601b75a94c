import { credentialForm } from '../../../schema/credentials/credential-form.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../context/compile-context.ts';

const suggestion =
  'Take it out, and revoke it if others can read this text. Credentials belong where a secret is expected, such as "api_key".';

/** Reports each text in parameters that is a credential: they are written into plans as they are, and plans are no secret. */
export const reportCredentials = (
  value: Json,
  pointer: JsonPointer,
  context: Pick<CompileContext, 'trust' | 'reporter'>,
): void => {
  const { trust, reporter } = context;
  // What comes with a request is kept nowhere.
  if (trust === 'caller') return;
  if (typeof value === 'string') {
    const whose = credentialForm(value);
    if (whose !== undefined)
      reporter.report('credential-in-parameters', { pointer, part: 'value' }, { whose, suggestion });
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) reportCredentials(item, childPointer(pointer, index), context);
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value)) reportCredentials(member, childPointer(pointer, key), context);
};
