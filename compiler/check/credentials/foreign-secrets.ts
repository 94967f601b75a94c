import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { poolKeys } from '../../resolve/providers/source-facts.ts';
import { toCredentialFields } from '../../resolve/providers/to-credential-fields.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const variable = /^\$\{env:([A-Za-z0-9_]+)\}$/;
const withMarks = (name: string): string => `_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_`;

/** The providers by their names with marks, the longest first; written once for each catalogue. */
const marked = new WeakMap<Catalogue['providers'], readonly (readonly [marks: string, provider: Provider])[]>();

const markedNames = (providers: Catalogue['providers']): readonly (readonly [marks: string, provider: Provider])[] => {
  const known = marked.get(providers);
  if (known !== undefined) return known;
  const names = [...providers].sort(([a], [b]) => b.length - a.length);
  const made = names.map(([name, provider]) => [withMarks(name), provider] as const);
  marked.set(providers, made);
  return made;
};

/** The provider with the longest name that is part of the name of a secret. */
const namedIn = (secret: string, { providers }: Catalogue): Provider | undefined => {
  const marks = withMarks(secret);
  return markedNames(providers).find(([name]) => marks.includes(name))?.[1];
};

/** A secret that is named after a provider is sent to that provider. */
export const foreignSecrets: Check = defineCheck({
  name: 'foreign-secrets',
  create: ({ reporter, catalogue, sound }) => ({
    leaf({ pointer, config, settings }, { source }) {
      // At another host any key may be the right one.
      if (source.kind !== 'inline' || source.provider === undefined || settings.custom_host !== undefined) return;
      const { provider } = source;
      const members = new Map<string, unknown>(Object.entries(config));
      const secrets = [
        ...toCredentialFields(provider).map((field) => [childPointer(pointer, field), members.get(field)] as const),
        ...poolKeys(pointer, config, sound).map(
          ({ value, pointer: at }) => [childPointer(at, 'api_key'), value.api_key] as const,
        ),
      ];
      for (const [at, value] of secrets) {
        const [, secret] = variable.exec(String(value ?? '')) ?? [];
        const other = secret === undefined ? undefined : namedIn(secret, catalogue);
        if (secret === undefined || other === undefined || other === provider) continue;
        // The name of one provider may hold that of another.
        if (withMarks(provider.id).includes(withMarks(other.id))) continue;
        const place = { pointer: at, part: 'value' } as const;
        reporter.report('foreign-secret', place, { other: other.id, provider: provider.id });
      }
    },
  }),
});
