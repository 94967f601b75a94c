import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { describeSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import { settingDescriptions } from '../../../schema/config/setting-descriptions.ts';
import { root } from '../../../tools/build/package-modules.ts';

const { properties } = JSON.parse(readFileSync(path.join(root, 'schema/config.schema.json'), 'utf8')) as {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
};

/** Returns whether every provider describes the setting for saved providers. */
const isOfAll = (name: string): boolean => name === 'custom_host';

it('every setting of a provider is described in one place', () => {
  const described = new Map<string, number>();
  for (const provider of builtinProviders)
    for (const [name, { description }] of Object.entries(describeSettings(provider).properties ?? {})) {
      const places = [description, properties[name]?.description, settingDescriptions[name]];
      described.set(name, places.filter((text) => text !== undefined).length);
    }
  expect(described.size).toBeGreaterThan(30);
  expect([...described].filter(([name, count]) => count !== 1 && !isOfAll(name))).toEqual([]);
});
