import type { DeclaredLabels } from '../../schema/config/declared-labels.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { loadTsMorph } from './load-ts-morph.ts';
import { moduleTypes } from './module-types.ts';
import { moduleValues } from './module-values.ts';

const title = ({ sources }: RoutingPlan): string => {
  const files = sources.map(({ file }) => file.replace(/[^ -~]/g, '?')).join(', ');
  return `// Made by \`gw compile\`${files === '' ? '' : ` from ${files}`}. Change the config and compile it again.`;
};

/**
 * Returns the text of `<name>.plan.ts`: the plan with the types of its names, so that code that uses a renamed target, metadata
 * key or secret no longer compiles. Labels that the gateway file declares have the types of their declarations. The module
 * imports only types. The same plan gives the same text. Throws `MissingTsMorphError` if ts-morph is not installed.
 */
export const emitPlanModule = (plan: RoutingPlan, labels?: DeclaredLabels): string => {
  const morph = loadTsMorph();
  const { IndentationText, NewLineKind, Project, QuoteKind, StructureKind } = morph;
  const project = new Project({
    useInMemoryFileSystem: true,
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      newLineKind: NewLineKind.LineFeed,
      quoteKind: QuoteKind.Single,
    },
  });
  const file = project.createSourceFile('plan.ts', {
    statements: [
      title(plan),
      {
        kind: StructureKind.ImportDeclaration,
        isTypeOnly: true,
        moduleSpecifier: 'gatewright',
        namedImports: ['GatewayHeaders', 'Plan'],
      },
      ...moduleTypes(morph, plan, labels),
      ...moduleValues(morph, plan, labels),
    ],
  });
  file.formatText({ indentSize: 2 });
  // Statements include the empty line before them, and ts-morph sometimes adds another.
  return file.getFullText().replace(/\n{3,}/g, '\n\n');
};
