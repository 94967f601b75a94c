import { memberNames } from '../../../plugins/sdk/parameters/to-options.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { describeSettings } from '../../../plugins/sdk/provider/provider-settings.ts';
import { readBaseUrl } from '../../../plugins/sdk/provider/read-base-url.ts';
import { settingFields } from '../../../schema/config/provider-fields.ts';
import type { Config } from '../../../schema/generated/config.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { customHost } from '../../resolve/providers/custom-host.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import { isElsewhere, providerPlace } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode, Placed } from '../../resolve/tree/ir-node.ts';
import { refersAnywhere } from '../../schema-errors/is-reference.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Suggests what to write instead. Repeats the text only if it is a plain host. */
const hostHint = (text: string): string => {
  if (/^https?:\/(?!\/)/i.test(text)) return 'Write two slashes after the colon.';
  if (/^(?:wss?|ftp|grpc|tcp):/i.test(text)) return 'Only http:// and https:// URLs can be called.';
  const [plain, host = ''] = /^(\w[\w.-]*)(?::\d+)?(?:\/[\w./-]*)?$/.exec(text) ?? [];
  if (plain === undefined) return 'Write a URL such as https://models.example.com/v1.';
  return `Write ${/^(?:localhost|127\.|[^.]+$)/.test(host) ? 'http' : 'https'}://${plain}.`;
};

/** Suggests the first label of a host if only that label belongs in the setting. */
const settingHint = (setting: string, value: Json | undefined): string => {
  const [, label] = typeof value === 'string' ? (/^(?:https?:\/\/)?([a-z0-9-]+)\./i.exec(value) ?? []) : [];
  return label === undefined
    ? `Correct "${setting}", or add a custom_host.`
    : `Write "${label}" as "${setting}", or add a custom_host.`;
};

/** A setting because of which a provider cannot be called: its name, the reason, and what to write instead. */
export interface WrongSetting {
  readonly setting: string;
  readonly why: string;
  readonly hint: string;
}

/** Finds the setting that a provider itself names as the reason why it has no base URL. */
const findWrongSetting = (why: string, settings: JsonObject): WrongSetting | undefined => {
  const setting = Object.keys(settings).find((field) => why.startsWith(field));
  return setting === undefined ? undefined : { setting, why, hint: settingHint(setting, settings[setting]) };
};

/** Finds the saved setting because of which a saved provider has no address. It is reported only where it is saved. */
export const findWrongSavedSetting = (
  provider: Provider,
  settings: JsonObject = {},
  own: JsonObject = {},
): WrongSetting | undefined => {
  if (settings.custom_host !== undefined) return undefined;
  const { why } = readBaseUrl(provider, { ...settings, ...own });
  const wrong = why === undefined ? undefined : findWrongSetting(why, settings);
  return wrong === undefined || Object.hasOwn(own, wrong.setting) ? undefined : wrong;
};

/**
 * Whether a saved provider has a setting that it does not read. That is reported where it is saved, because the missing setting
 * may be meant.
 */
const hasUnreadSetting = (provider: Provider, settings: JsonObject = {}): boolean => {
  const read = memberNames(describeSettings(provider));
  return Object.keys(settings).some((name) => !read.includes(name));
};

const reportHost = ({ value, pointer }: Placed<string>, { reporter }: CompileContext): void => {
  // A reference is a mistake of its own.
  if (refersAnywhere(value)) return;
  const host = customHost(value);
  if (!host.ok)
    reporter.report('invalid-custom-host', { pointer, part: 'value' }, { why: host.why, suggestion: hostHint(value) });
};

/** Reports a host that is saved in another file at the place that uses its name. */
const reportSavedHost = ({ source }: IrLeaf, context: CompileContext): void => {
  const host = source.kind === 'saved' ? source.saved?.settings?.custom_host : undefined;
  if (source.kind === 'saved' && host !== undefined) reportHost({ value: String(host), pointer: source.at }, context);
};

/** Finds a provider that reads all settings of a config that `provider` does not fully read; it was probably meant. */
const findReader = (config: Config, provider: Provider, { providers }: Catalogue): string | undefined => {
  const written = Object.keys(ownProviderSettings(config, settingFields));
  const reads = ({ settings = [] }: Provider): boolean => written.every((field) => settings.includes(field));
  return reads(provider) ? undefined : [...providers.values()].find(reads)?.id;
};

/** Suggests how to specify the address of a provider. */
const addressHint = (config: Config, provider: Provider, catalogue: Catalogue): string => {
  const reader = findReader(config, provider, catalogue);
  const otherwise =
    reader === undefined ? '' : ` Or write "${reader}" as the provider, which reads all of these settings.`;
  return `Add the setting that is missing, or a custom_host.${otherwise}`;
};

/** Checks that a target without a host has a provider with a known address. */
const reportAddress = (node: IrNode, { source }: IrLeaf, { reporter, sound, catalogue }: CompileContext): void => {
  if (source.kind !== 'inline' && source.kind !== 'saved') return;
  const { provider } = source;
  const inherited = source.kind === 'saved' ? source.saved?.settings : undefined;
  if (provider === undefined || isElsewhere(node, source)) return;
  if (sound.isUnusable(childPointer(node.pointer, 'custom_host'))) return;
  const own = ownProviderSettings(node.config, provider.settings ?? []);
  const { why } = readBaseUrl(provider, { ...inherited, ...own });
  // A setting that is a reference is a mistake of its own.
  if (why === undefined || refersAnywhere(own)) return;
  const wrong = findWrongSetting(why, own);
  if (wrong === undefined && findWrongSavedSetting(provider, inherited, own) !== undefined) return;
  if (wrong === undefined && hasUnreadSetting(provider, inherited)) return;
  const named = providerPlace(node, source);
  reporter.report(
    'missing-base-url',
    { pointer: wrong === undefined ? named : childPointer(node.pointer, wrong.setting), part: 'value' },
    { provider: provider.id, why, suggestion: wrong?.hint ?? addressHint(node.config, provider, catalogue) },
  );
};

/** Checks that hosts are base URLs, and that every target has an address. */
export const hosts: Check = defineCheck({
  name: 'hosts',
  create: (context) => ({
    node({ own }) {
      if (own.custom_host !== undefined) reportHost(own.custom_host, context);
    },
    leaf(node, leaf) {
      reportAddress(node, leaf, context);
      reportSavedHost(leaf, context);
    },
  }),
});
