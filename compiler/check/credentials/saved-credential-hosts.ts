import { divertingSettings } from '../../../plugins/sdk/provider/diverting-settings.ts';
import { savedSecrets } from '../../../schema/config/saved.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Checks that a config that is not the operator's cannot choose where a saved credential is sent, or what is sent with it. */
export const savedCredentialHosts: Check = defineCheck({
  name: 'saved-credential-hosts',
  create: ({ reporter, trust, spellings }) => ({
    leaf({ pointer, config, settings }, { source }) {
      if (trust === 'operator' || source.kind !== 'saved') return;
      const { saved, provider } = source;
      const usesMachine = provider?.usesMachineIdentity?.(saved?.settings ?? {}) === true;
      const hasSecrets = saved !== undefined && savedSecrets(saved).length > 0;
      if (!hasSecrets && !usesMachine && saved?.tls === undefined) return;
      const refuse = (setting: string, at: JsonPointer): void =>
        reporter.report(
          'credential-origin-mismatch',
          { pointer: at, part: 'value' },
          { setting: spellings.readName(pointer, setting) },
        );
      if (settings.custom_host !== undefined) refuse('custom_host', settings.custom_host.pointer);
      const { forward_headers: headers } = settings;
      if (headers !== undefined && headers.value.length > 0) refuse('forward_headers', headers.pointer);
      if (provider === undefined) return;
      const own = ownProviderSettings(config, provider.settings ?? []);
      for (const field of divertingSettings(provider, saved?.settings ?? {}, own))
        refuse(field, childPointer(pointer, field));
    },
  }),
});
