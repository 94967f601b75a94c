import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Provider } from '../../plugins/sdk/provider.ts';
import type { JsonObject } from '../../schema/json.ts';
import { childPointer, type JsonPointer } from '../../schema/pointer.ts';
import type { CompileContext } from '../ir/compile-context.ts';
import type { IrLeaf, IrNode } from '../ir/ir-node.ts';
import { ownProviderSettings } from '../ir/own-provider-settings.ts';
import { modelOf, providerOf } from '../ir/source-facts.ts';
import { conversationParameters } from './conversation-parameters.ts';
import { type Check, defineCheck } from './define-check.ts';
import { type NotCarried, type SentParameter, whyNotCarried } from './why-not-carried.ts';

/** Where each parameter is stated that holds at a node. */
type Places = ReadonlyMap<string, JsonPointer>;

const placesOf = ({ own: { override_params: params } }: IrNode, above: Places = new Map()): Places =>
  params === undefined
    ? above
    : new Map([
        ...above,
        ...Object.keys(params.value).map((name) => [name, childPointer(params.pointer, name)] as const),
      ]);

/** Whom a leaf calls, where that is certain. A server at another host may take any parameter. */
const calledBy = (
  { config, settings }: IrNode,
  { source }: IrLeaf,
): { readonly provider: Provider; readonly settings: JsonObject } | undefined => {
  const provider = providerOf(source);
  const saved = source.kind === 'saved' ? source.saved?.settings : undefined;
  if (provider === undefined || settings.custom_host !== undefined || saved?.custom_host !== undefined)
    return undefined;
  return { provider, settings: { ...saved, ...ownProviderSettings(config, provider.settings ?? []) } };
};

/** Why no request can carry the parameter there, if that is certain: no dialect of the provider does. */
const certainly = (sent: SentParameter, spoken: readonly Dialect[]): NotCarried | undefined => {
  const parameter = Object.hasOwn(conversationParameters, sent.name) ? conversationParameters[sent.name] : undefined;
  const whys = spoken
    .filter(({ conversation }) => conversation !== undefined)
    .map((dialect) => whyNotCarried(dialect, sent, parameter));
  const why = whys.find((each) => each?.kind === 'lost') ?? whys[0];
  if (why === undefined || whys.includes(undefined)) return undefined;
  // Text completions have most of the parameters, and are not translated.
  return why.kind === 'lost' && spoken.some(({ operation }) => operation === 'complete') ? undefined : why;
};

const advice = 'Remove it, or set it only at targets that take it.';

const explained = (why: NotCarried): { readonly why: string; readonly suggestion: string } =>
  why.kind === 'refused'
    ? { why: 'requests that are translated are sent without it', suggestion: advice }
    : {
        why: `requests in its dialect "${why.dialect}" cannot carry it`,
        suggestion: `${why.why} ${advice}`,
      };

const look = (node: IrNode, leaf: IrLeaf, places: Places, { catalogue, reporter }: CompileContext): void => {
  const called = calledBy(node, leaf);
  if (called === undefined) return;
  const { provider, settings } = called;
  const asked = modelOf(node, leaf.source);
  const model = typeof asked === 'string' ? asked : undefined;
  // With a model that the request names, it speaks any of its dialects.
  const ids =
    (model === undefined ? undefined : provider.dialectsOf?.(model, settings)) ?? Object.keys(provider.speaks);
  const spoken = ids.flatMap((id) => catalogue.dialects.get(id) ?? []);
  for (const [name, value] of Object.entries(node.settings.override_params?.value ?? {})) {
    const pointer = places.get(name);
    const why =
      pointer === undefined || value === null ? undefined : certainly({ name, value, provider, model }, spoken);
    if (pointer === undefined || why === undefined) continue;
    const words = { parameter: name, provider: provider.id, ...explained(why) };
    reporter.report('setting-not-carried', { pointer, part: 'key' }, words);
  }
};

/** Overrides set parameters that the provider of the target takes, in one of its dialects at least. */
export const carriedParameters: Check = defineCheck({
  name: 'carried-parameters',
  create: (context) => {
    const stated = new Map<IrNode, Places>();
    return {
      node(node, parent) {
        const places = placesOf(node, parent === undefined ? undefined : stated.get(parent.node));
        stated.set(node, places);
        if (node.shape.kind === 'leaf') look(node, node.shape, places, context);
      },
    };
  },
});
