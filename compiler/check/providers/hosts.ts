import { readBaseUrl } from '../../../plugins/sdk/provider/read-base-url.ts';
import type { Json } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { customHost } from '../../resolve/providers/custom-host.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import { providerPlace } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode, Stated } from '../../resolve/tree/ir-node.ts';
import { refersAnywhere } from '../../validate/references/is-reference.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Suggests what to write instead; repeats the text only where it is a plain host. */
const hostHint = (text: string): string => {
  if (/^https?:\/(?!\/)/i.test(text)) return 'Write two slashes after the colon.';
  if (/^(?:wss?|ftp|grpc|tcp):/i.test(text)) return 'Only http:// and https:// URLs can be called.';
  const [plain, host = ''] = /^(\w[\w.-]*)(?::\d+)?(?:\/[\w./-]*)?$/.exec(text) ?? [];
  if (plain === undefined) return 'Write a URL such as https://models.example.com/v1.';
  return `Write ${/^(?:localhost|127\.|[^.]+$)/.test(host) ? 'http' : 'https'}://${plain}.`;
};

/** Suggests the first label of a host that stands where only that label belongs. */
const settingHint = (setting: string, value: Json | undefined): string => {
  const [, label] = typeof value === 'string' ? (/^(?:https?:\/\/)?([a-z0-9-]+)\./i.exec(value) ?? []) : [];
  return label === undefined
    ? `Correct "${setting}", or add a custom_host.`
    : `Write "${label}" as "${setting}", or add a custom_host.`;
};

const reportHost = ({ value, pointer }: Stated<string>, { reporter }: CompileContext): void => {
  // A reference is a mistake of its own.
  if (refersAnywhere(value)) return;
  const host = customHost(value);
  if (!host.ok)
    reporter.report('invalid-custom-host', { pointer, part: 'value' }, { why: host.why, suggestion: hostHint(value) });
};

/** Reports a host that is saved in another file where its name is used. */
const reportSavedHost = ({ source }: IrLeaf, context: CompileContext): void => {
  const host = source.kind === 'saved' ? source.saved?.settings?.custom_host : undefined;
  if (source.kind === 'saved' && host !== undefined) reportHost({ value: String(host), pointer: source.at }, context);
};

/** A target without a host needs a provider that knows where it is. */
const reportAddress = (node: IrNode, { source }: IrLeaf, { reporter, sound }: CompileContext): void => {
  if (source.kind !== 'inline' && source.kind !== 'saved') return;
  const { provider } = source;
  const inherited = source.kind === 'saved' ? source.saved?.settings : undefined;
  if (provider === undefined || node.settings.custom_host !== undefined || inherited?.custom_host !== undefined) return;
  if (sound.isUnsound(childPointer(node.pointer, 'custom_host'))) return;
  const own = ownProviderSettings(node.config, provider.settings ?? []);
  const { why } = readBaseUrl(provider, { ...inherited, ...own });
  // A setting that is a reference is a mistake of its own.
  if (why === undefined || refersAnywhere(own)) return;
  // A provider names the setting that is missing or wrong.
  const wrong = Object.keys(own).find((field) => why.startsWith(field));
  const named = providerPlace(node, source);
  const suggestion =
    wrong === undefined ? 'Add the setting that is missing, or a custom_host.' : settingHint(wrong, own[wrong]);
  reporter.report(
    'missing-base-url',
    { pointer: wrong === undefined ? named : childPointer(node.pointer, wrong), part: 'value' },
    { provider: provider.id, why, suggestion },
  );
};

/** Hosts are base URLs, and every target has an address. */
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
