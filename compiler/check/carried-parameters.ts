import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { conversationParameters } from '../capability-gaps/conversation-parameters.ts';
import type { CompileContext } from '../resolve/context/compile-context.ts';
import type { IrLeaf, IrNode } from '../resolve/tree/ir-node.ts';
import { calledBy, spokenBy } from './providers/called-provider.ts';
import { type Check, defineCheck } from './visitor/define-check.ts';
import { findWhyNever } from './why-never.ts';
import type { NotCarried } from './why-not-carried.ts';

/** Where each parameter that applies to a node is stated. */
type Places = ReadonlyMap<string, JsonPointer>;

const toPlaces = ({ own: { override_params: params } }: IrNode, above: Places = new Map()): Places =>
  params === undefined
    ? above
    : new Map([
        ...above,
        ...Object.keys(params.value).map((name) => [name, childPointer(params.pointer, name)] as const),
      ]);

const advice = 'Remove it, or set it only on targets that accept it.';

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

const look = (node: IrNode, leaf: IrLeaf, places: Places, context: CompileContext): void => {
  const called = calledBy(node, leaf);
  if (called === undefined) return;
  const { provider } = called;
  const whyNever = findWhyNever(context.catalogue, { ...called, spoken: spokenBy(called, context) });
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

/** Checks that each parameter that overrides set can be sent to its provider in at least one dialect. */
export const carriedParameters: Check = defineCheck({
  name: 'carried-parameters',
  create: (context) => {
    const stated = new Map<IrNode, Places>();
    const copied = new Map<IrNode, Places>();
    return {
      node(node, parent) {
        const places = toPlaces(node, parent === undefined ? copied.get(node) : stated.get(parent.node));
        stated.set(node, places);
        // A copy inherits the parameters of the requests that it copies.
        if (node.mirror !== undefined) copied.set(node.mirror.target, places);
        if (node.shape.kind === 'leaf') look(node, node.shape, places, context);
      },
    };
  },
});
