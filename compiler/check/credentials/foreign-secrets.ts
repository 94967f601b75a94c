import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { configMembers } from '../../resolve/providers/config-members.ts';
import { poolKeys } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const variable = /^\$\{env:([A-Za-z0-9_]+)\}$/;
const withMarks = (name: string): string => `_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_`;

/** Finds the provider with the longest name that is part of the name of a secret. Each secret is looked up once. */
const namedIn = ({ providers }: Catalogue): ((secret: string) => Provider | undefined) => {
  const longestFirst = [...providers]
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([name, provider]) => [withMarks(name), provider] as const);
  const known = new Map<string, Provider | undefined>();
  return (secret) => {
    if (!known.has(secret)) {
      const marked = withMarks(secret);
      known.set(secret, longestFirst.find(([name]) => marked.includes(name))?.[1]);
    }
    return known.get(secret);
  };
};

/** Checks that a secret that is named after a provider is sent to that provider. */
export const foreignSecrets: Check = defineCheck({
  name: 'foreign-secrets',
  create: ({ reporter, catalogue, sound }) => {
    const findNamed = namedIn(catalogue);
    return {
      leaf({ pointer, config, settings }, { source }) {
        // At another host, any key may be the right one.
        if (source.kind !== 'inline' || source.provider === undefined || settings.custom_host !== undefined) return;
        const { provider } = source;
        const members = configMembers(config);
        const secrets = [
          ...toCredentialFields(provider).map((field) => [childPointer(pointer, field), members[field]] as const),
          ...poolKeys(pointer, config, sound).map(
            ({ value, pointer: at }) => [childPointer(at, 'api_key'), value.api_key] as const,
          ),
        ];
        for (const [at, value] of secrets) {
          const [, secret] = variable.exec(String(value ?? '')) ?? [];
          const other = secret === undefined ? undefined : findNamed(secret);
          if (secret === undefined || other === undefined || other === provider) continue;
          // The name of one provider may contain that of another.
          if (withMarks(provider.id).includes(withMarks(other.id))) continue;
          const place = { pointer: at, part: 'value' } as const;
          reporter.report('foreign-secret', place, { other: other.id, provider: provider.id });
        }
      },
    };
  },
});
