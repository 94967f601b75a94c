import type { InterfaceDeclarationStructure, TypeAliasDeclarationStructure } from 'ts-morph';
import type { DeclaredLabels } from '../../schema/config/declared-labels.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { TsMorph } from './load-ts-morph.ts';
import { type Member, metadataMembers } from './metadata-members.ts';
import { memberName, quote, unionText } from './source-text.ts';

const environment = /^\$\{env:(.+)\}$/;

/** Returns the environment variables of a plan's secrets, sorted. Files are not included, because they are up to the host. */
const secretNames = ({ requires }: Pick<RoutingPlan, 'requires'>): readonly string[] =>
  requires.secrets.flatMap((ref) => environment.exec(ref)?.[1] ?? []).sort();

type TypeStructure = InterfaceDeclarationStructure | TypeAliasDeclarationStructure;

/** Declares an interface; without members, a type that no member fits, so that a stale name is an error. */
const membersType = (
  { StructureKind }: TsMorph,
  { name, members, docs }: { readonly name: string; readonly members: readonly Member[]; readonly docs: string },
): TypeStructure =>
  members.length === 0
    ? {
        kind: StructureKind.TypeAlias,
        leadingTrivia: '\n',
        name,
        isExported: true,
        docs: [docs],
        type: 'Readonly<Record<string, never>>',
      }
    : {
        kind: StructureKind.Interface,
        leadingTrivia: '\n',
        name,
        isExported: true,
        docs: [docs],
        properties: members.map((member) => ({
          name: memberName(member.name),
          type: member.type,
          isReadonly: true,
          hasQuestionToken: !member.required,
        })),
      };

const metadataDocs = (labels: DeclaredLabels | undefined): string =>
  labels === undefined
    ? "What the plan's conditions read of a request. Required is what every way through the plan reads."
    : "The labels of a request: those that the gateway file declares, and what the plan's conditions read. Required is what every " +
      'way through the plan reads, and what the gateway refuses requests without.';

/** Declares the types of a plan's names: `Target`, `Metadata`, `Secrets`. */
export const moduleTypes = (
  morph: TsMorph,
  plan: RoutingPlan,
  labels: DeclaredLabels | undefined,
): readonly TypeStructure[] => [
  {
    kind: morph.StructureKind.TypeAlias,
    leadingTrivia: '\n',
    name: 'Target',
    isExported: true,
    docs: ['What the plan can reach: the names that route tests, metrics and trails use.'],
    type: unionText(plan.targets.map(({ id }) => quote(id))),
  },
  membersType(morph, {
    name: 'Metadata',
    docs: metadataDocs(labels),
    members: metadataMembers(plan, labels),
  }),
  membersType(morph, {
    name: 'Secrets',
    docs: "The environment variables that hold the plan's secrets.",
    members: secretNames(plan).map((name) => ({ name, type: 'string', required: true })),
  }),
];
