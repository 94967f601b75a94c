import { credentialForm } from '../../../schema/credentials/credential-form.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../context/compile-context.ts';

const suggestion =
  'Remove it, and revoke it if others can read this text. Put credentials where a secret is expected, such as "api_key".';

/** Reports each credential in parameters, because these are written into plans unchanged, and plans are not secret. */
export const reportCredentials = (
  value: Json,
  pointer: JsonPointer,
  context: Pick<CompileContext, 'trust' | 'reporter'>,
): void => {
  const { trust, reporter } = context;
  // The config of a request is not stored anywhere.
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
