import type { TenantConfig, TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { byNames } from '../../kernel/records/saved-parts.ts';
import type { ConfigTexts } from './config-texts.ts';
import { toSettings } from './default-guardrails.ts';
import type { FindPrompts } from './find-prompts.ts';
import type { ConfigHead, TenantRows } from './read-rows.ts';
import type { TenantSnapshot } from './tenant-snapshot.ts';

interface ViewParts {
  readonly tenant: string;
  readonly rows: Pick<TenantRows, 'configs' | 'settings'>;
  readonly things: TenantSnapshot;
  readonly texts: ConfigTexts;
  readonly prompts: FindPrompts;
}

const toConfig = ({ slug, version_id }: ConfigHead, { tenant, texts }: ViewParts): TenantConfig => ({
  name: slug,
  version: version_id,
  text: () => texts.get({ tenant, id: version_id, name: slug }),
});

/** What the workspace names, or else the config that says of itself that it is the default, or what the organisation names. */
const findDefaultConfig = ({ rows: { configs, settings } }: ViewParts): string | undefined =>
  toSettings(settings.workspace).config ??
  configs.find(({ is_default }) => is_default === 1)?.slug ??
  toSettings(settings.organisation).config;

export const toView = (parts: ViewParts): TenantView => {
  const { things, rows } = parts;
  const { version, saved, secrets, defaultGuardrails } = things;
  const byName = new Map(
    Object.entries(byNames(rows.configs.map((head) => ({ ...head, value: toConfig(head, parts) })))),
  );
  const slugs = rows.configs.map(({ slug }) => slug);
  const defaultConfig = findDefaultConfig(parts);
  return {
    version,
    saved,
    secrets,
    prompts: (references) => parts.prompts(parts.tenant as TenantId, references),
    config: (name) => byName.get(name),
    configNames: () => slugs,
    ...(defaultConfig === undefined ? {} : { defaultConfig }),
    ...(defaultGuardrails === undefined ? {} : { defaultGuardrails }),
  };
};
