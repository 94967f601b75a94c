import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { conversationParameters } from '../../gaps/conversation-parameters.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { findModel } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { calledBy, spokenBy } from '../providers/called-provider.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import {
  type CalledModel,
  createCarriage,
  type NotCarried,
  type SentParameter,
  type WhyNotCarried,
} from './why-not-carried.ts';

/** Where each parameter that holds at a node is stated. */
type Places = ReadonlyMap<string, JsonPointer>;

const toPlaces = ({ own: { override_params: params } }: IrNode, above: Places = new Map()): Places =>
  params === undefined
    ? above
    : new Map([
        ...above,
        ...Object.keys(params.value).map((name) => [name, childPointer(params.pointer, name)] as const),
      ]);

const declaredLoss = (
  { parameter, value }: SentParameter,
  { provider }: Pick<CalledModel, 'provider'>,
): NotCarried | undefined => {
  const loss = provider.losses?.find(({ member }) => member === parameter?.member);
  return loss === undefined || parameter?.of(value) === undefined ? undefined : { kind: 'declared', why: loss.why };
};

interface CalledTarget extends CalledModel {
  readonly spoken: readonly Dialect[];
}

/** Why no request can carry the parameter there, if that is certain: none of the dialects does. */
const whyNever = (sent: SentParameter, called: CalledTarget, whyNotCarried: WhyNotCarried): NotCarried | undefined => {
  const declared = declaredLoss(sent, called);
  if (declared !== undefined) return declared;
  const { spoken } = called;
  const whys = spoken
    .filter(({ conversation }) => conversation !== undefined)
    .map((dialect) => whyNotCarried(dialect, called, sent));
  if (whys.includes(undefined)) return undefined;
  const lost = whys.find((why) => why?.kind === 'lost');
  // Text completions have most of the parameters, and its own clients are not translated.
  return lost !== undefined && spoken.some(({ operation }) => operation === 'complete') ? undefined : (lost ?? whys[0]);
};

const advice = 'Remove it, or set it only at targets that take it.';

const toWords = (
  why: Exclude<NotCarried, { kind: 'changed' }>,
): { readonly why: string; readonly suggestion: string } => {
  switch (why.kind) {
    case 'refused':
      return { why: 'requests that are translated are sent without it', suggestion: advice };
    case 'declared':
      return { why: 'no request carries it there', suggestion: `${why.why} ${advice}` };
    case 'lost':
      return { why: `requests in its dialect "${why.dialect}" cannot carry it`, suggestion: `${why.why} ${advice}` };
  }
};

interface Looking {
  readonly places: Places;
  readonly context: CompileContext;
  readonly whyNotCarried: WhyNotCarried;
}

const look = (node: IrNode, leaf: IrLeaf, { places, context, whyNotCarried }: Looking): void => {
  const called = calledBy(node, leaf);
  if (called === undefined) return;
  const { provider, settings } = called;
  const asked = findModel(node, leaf.source);
  const model = typeof asked === 'string' ? asked : undefined;
  const target = { provider, settings, model, spoken: spokenBy(called, model, context) };
  for (const [name, value] of Object.entries(node.settings.override_params?.value ?? {})) {
    const pointer = places.get(name);
    if (pointer === undefined || value === null) continue;
    const parameter = lookUp(conversationParameters, name);
    const why = whyNever({ name, value, parameter }, target, whyNotCarried);
    if (why === undefined) continue;
    const said = { parameter: name, provider: provider.id };
    if (why.kind === 'changed')
      context.reporter.report('setting-out-of-range', { pointer, part: 'value' }, { ...said, suggestion: why.why });
    else context.reporter.report('setting-not-carried', { pointer, part: 'key' }, { ...said, ...toWords(why) });
  }
};

/** Every parameter that overrides set is taken by the provider that it is sent to, in one of its dialects at least. */
export const carriedParameters: Check = defineCheck({
  name: 'carried-parameters',
  create: (context) => {
    const stated = new Map<IrNode, Places>();
    const whyNotCarried = createCarriage();
    return {
      node(node, parent) {
        const places = toPlaces(node, parent === undefined ? undefined : stated.get(parent.node));
        stated.set(node, places);
        if (node.shape.kind === 'leaf') look(node, node.shape, { places, context, whyNotCarried });
      },
    };
  },
});
