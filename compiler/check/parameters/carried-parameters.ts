import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Json } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { conversationParameters } from '../../gaps/conversation-parameters.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { findModel } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';
import { calledBy, spokenBy } from '../providers/called-provider.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';
import { type CalledModel, createCarriage, type NotCarried, type SentParameter } from './why-not-carried.ts';

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

type WhyNever = (sent: SentParameter) => NotCarried | undefined;

/** Says why no request can carry a parameter there, if that is certain: none of the dialects does. */
const createWhyNever = (called: CalledTarget): WhyNever => {
  const { spoken } = called;
  const whyNotCarried = createCarriage(called, spoken);
  // Text completions have most of the parameters, and its own clients are not translated.
  const completes = spoken.some(({ operation }) => operation === 'complete');
  return (sent) => {
    const declared = declaredLoss(sent, called);
    if (declared !== undefined) return declared;
    const whys = whyNotCarried(sent);
    if (whys.includes(undefined)) return undefined;
    const lost = whys.find((why) => why?.kind === 'lost');
    return lost !== undefined && completes ? undefined : (lost ?? whys[0]);
  };
};

/** Answers a question about the same parameter and value once. */
const remembered = (why: WhyNever): WhyNever => {
  const byName = new Map<string, Map<Json, NotCarried | undefined>>();
  return (sent) => {
    const { name, value } = sent;
    const known = byName.get(name) ?? new Map<Json, NotCarried | undefined>();
    byName.set(name, known);
    const key = typeof value === 'object' ? JSON.stringify([value]) : value;
    if (!known.has(key)) known.set(key, why(sent));
    return known.get(key);
  };
};

/** Finds what says why a target never carries a parameter: one for all targets that call the same. */
const createFinder = (): ((called: CalledTarget) => WhyNever) => {
  const known = new Map<string, WhyNever>();
  return (called) => {
    const { provider, model, settings, spoken } = called;
    const key = JSON.stringify([provider.id, model, settings, spoken.map(({ id }) => id)]);
    const why = known.get(key) ?? remembered(createWhyNever(called));
    known.set(key, why);
    return why;
  };
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
  readonly findWhyNever: (called: CalledTarget) => WhyNever;
}

const look = (node: IrNode, leaf: IrLeaf, { places, context, findWhyNever }: Looking): void => {
  const called = calledBy(node, leaf);
  if (called === undefined) return;
  const { provider, settings } = called;
  const asked = findModel(node, leaf.source);
  const model = typeof asked === 'string' ? asked : undefined;
  const whyNever = findWhyNever({ provider, settings, model, spoken: spokenBy(called, model, context) });
  for (const [name, value] of Object.entries(node.settings.override_params?.value ?? {})) {
    const pointer = places.get(name);
    if (pointer === undefined || value === null) continue;
    const parameter = lookUp(conversationParameters, name);
    const why = whyNever({ name, value, parameter });
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
    const findWhyNever = createFinder();
    return {
      node(node, parent) {
        const places = toPlaces(node, parent === undefined ? undefined : stated.get(parent.node));
        stated.set(node, places);
        if (node.shape.kind === 'leaf') look(node, node.shape, { places, context, findWhyNever });
      },
    };
  },
});
