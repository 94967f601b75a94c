import { credentialFields, settingFields } from '../../../schema/config/provider-fields.ts';
import type { Json } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { Place } from '../../diagnostics/reporter.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { configMembers } from '../../resolve/providers/config-members.ts';
import { poolKeys } from '../../resolve/providers/source-facts.ts';
import { reportSecret } from '../../resolve/secrets/report-secret.ts';
import { refersAnywhere } from '../../schema-errors/is-reference.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const reportPlain = (
  value: Json,
  setting: string,
  { place, context: { trust, reporter } }: { place: Place; context: CompileContext },
): void => {
  if (!refersAnywhere(value)) return;
  if (trust !== 'operator') reporter.report('reference-not-allowed', place, {});
  else reporter.report('misplaced-reference', place, { setting });
};

const plainFields = ['name', 'provider', 'virtual_key', 'custom_host', ...settingFields] as const;

/** Checks that files contain secrets only as references, and that only files contain references. */
export const secretValues: Check = defineCheck({
  name: 'secret-values',
  create: (context) => ({
    node({ pointer, config }) {
      const members = configMembers(config);
      const at = (field: string): Place => ({ pointer: childPointer(pointer, field), part: 'value' });
      for (const field of credentialFields) {
        const value = members[field];
        if (value !== undefined) reportSecret(value, at(field), context);
      }
      for (const { value: key, pointer: place } of poolKeys(pointer, config, context.sound))
        reportSecret(key.api_key, { pointer: childPointer(place, 'api_key'), part: 'value' }, context);
      for (const field of plainFields) {
        const value = members[field];
        if (value !== undefined)
          reportPlain(value, context.spellings.readName(pointer, field), { place: at(field), context });
      }
    },
  }),
});
