import type { InterfaceDeclarationStructure, VariableStatementStructure } from 'ts-morph';
import type { DeclaredLabels } from '../../schema/config/declared-labels.ts';
import type { Json } from '../../schema/json/json.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import { literalText } from './literal-text.ts';
import type { TsMorph } from './load-ts-morph.ts';
import { metadataMembers } from './metadata-members.ts';
import { quote } from './source-text.ts';

const constant = (
  { StructureKind, VariableDeclarationKind }: TsMorph,
  { name, initializer, docs }: { readonly name: string; readonly initializer: string; readonly docs: string },
): VariableStatementStructure => ({
  kind: StructureKind.VariableStatement,
  leadingTrivia: '\n',
  declarationKind: VariableDeclarationKind.Const,
  isExported: true,
  docs: [docs],
  declarations: [{ name, initializer }],
});

/** Lists the options of `headers`. Metadata may be omitted if the plan needs none. */
const headerOptions = (
  { StructureKind }: TsMorph,
  { optional }: { readonly optional: boolean },
): InterfaceDeclarationStructure => ({
  kind: StructureKind.Interface,
  name: 'HeaderOptions',
  isExported: true,
  properties: [
    { name: 'metadata', type: 'Metadata', isReadonly: true, hasQuestionToken: optional },
    {
      name: 'labels',
      type: 'Readonly<Record<string, string>>',
      isReadonly: true,
      hasQuestionToken: true,
      docs: ["Metadata for your logs, which the plan does not read: `{ _user: 'u-17' }`."],
    },
    {
      name: 'traceId',
      type: 'string',
      isReadonly: true,
      hasQuestionToken: true,
      docs: ["Found again in the gateway's log; the gateway makes one where it is absent."],
    },
  ],
});

/** Header values are ASCII, so JSON's own escape replaces everything else. */
const headersText = (name: string, optional: boolean): string =>
  `({ metadata, labels, traceId }: HeaderOptions${optional ? ' = {}' : ''}): GatewayHeaders => ({
  'x-gw-config': ${quote(name)},
  'x-gw-metadata': JSON.stringify({ ...labels, ...metadata }).replace(
    /[^ -~]/g,
    (character) => \`\\\\u\${character.charCodeAt(0).toString(16).padStart(4, '0')}\`,
  ),
  ...(traceId === undefined ? {} : { 'x-gw-trace-id': traceId }),
})`;

/** Declares the values of the module: `headers`, `bounds`, `plan`. */
export const moduleValues = (
  morph: TsMorph,
  plan: RoutingPlan,
  labels: DeclaredLabels | undefined,
): readonly (InterfaceDeclarationStructure | VariableStatementStructure)[] => {
  const optional = metadataMembers(plan, labels).every(({ required }) => !required);
  const { calls, waitMs } = plan.bounds;
  // A plan is plain data by definition, which its interfaces cannot express.
  const data = plan as unknown as Json;
  return [
    headerOptions(morph, { optional }),
    constant(morph, {
      name: 'headers',
      docs: 'The headers that send a request through this plan: `new OpenAI({ baseURL, defaultHeaders: headers({ … }) })`.',
      initializer: headersText(planFileName(plan.name), optional),
    }),
    constant(morph, {
      name: 'bounds',
      docs: 'The worst case of one request: its upstream calls, and the milliseconds until its answer begins.',
      initializer: `{ calls: ${calls}, waitMs: ${waitMs} } as const`,
    }),
    constant(morph, {
      name: 'plan',
      docs: 'The plan itself, as in the `.plan.json` beside this file; checked when it was compiled.',
      initializer: `${literalText(data)} as unknown as Plan<{ target: Target; metadata: Metadata; secrets: Secrets }>`,
    }),
  ];
};
