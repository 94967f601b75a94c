import type { InterfaceDeclarationStructure, TypeAliasDeclarationStructure } from 'ts-morph';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { TsMorph } from './load-ts-morph.ts';
import { metadataShape } from './metadata-shape.ts';
import { metadataType } from './metadata-type.ts';
import { memberName, quote, unionText } from './source-text.ts';

const environment = /^\$\{env:(.+)\}$/;

/** The environment variables that a plan's secrets are in, sorted. Files are not among them: the host has them or not. */
const secretNames = ({ requires }: Pick<RoutingPlan, 'requires'>): readonly string[] =>
  requires.secrets.flatMap((ref) => environment.exec(ref)?.[1] ?? []).sort();

interface Member {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

type TypeStructure = InterfaceDeclarationStructure | TypeAliasDeclarationStructure;

/** An interface, or for no members a type that no member fits: a stale name must not pass unseen. */
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

/** The types of a plan's names: `Target`, `Metadata`, `Secrets`. */
export const moduleTypes = (morph: TsMorph, plan: RoutingPlan): readonly TypeStructure[] => [
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
    docs: "What the plan's conditions read of a request. Required is what every way through the plan reads.",
    members: [...metadataShape(plan.root)].map(([name, shape]) => ({
      name,
      type: metadataType(shape),
      required: shape.required,
    })),
  }),
  membersType(morph, {
    name: 'Secrets',
    docs: "The environment variables that hold the plan's secrets.",
    members: secretNames(plan).map((name) => ({ name, type: 'string', required: true })),
  }),
];
