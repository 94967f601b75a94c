import { type Problem, problem } from './problem.ts';
import { resourceScopes } from './resource-scopes.ts';

const allVerbs = ['create', 'read', 'update', 'delete', 'list'] as const;

/** The resources that have all of these verbs: described resources, and those listed here. */
const wholeNames = ['configs', 'keys', 'logs', 'organisation', 'policies'] as const;

/** Additional verbs, and the verbs of resources that do not have all of them. `completions.write` covers all calls to models. */
const furtherVerbs = {
  analytics: ['view'],
  audit_logs: ['list'],
  completions: ['write'],
  keys: ['rotate'],
  logs: ['view', 'write', 'export'],
  metrics: ['read'],
  models: ['list'],
  prompts: ['publish', 'render'],
} as const;

/** A permission of a key: a resource and a verb, such as `configs.read`. */
export type Scope =
  | `${(typeof resourceScopes | typeof wholeNames)[number]}.${(typeof allVerbs)[number]}`
  | {
      [Name in keyof typeof furtherVerbs]: `${Name}.${(typeof furtherVerbs)[Name][number]}`;
    }[keyof typeof furtherVerbs];

const verbLists: readonly (readonly [name: string, verbs: readonly string[]])[] = [
  ...[...resourceScopes, ...wholeNames].map((name) => [name, allVerbs] as const),
  ...Object.entries(furtherVerbs),
];

/** The verbs that keys can be granted for each resource, sorted by name. */
export const scopeTable: { readonly [name: string]: readonly string[] } = Object.fromEntries(
  [...new Set(verbLists.map(([name]) => name))]
    .sort()
    .map((name) => [name, verbLists.flatMap(([each, verbs]) => (each === name ? verbs : []))]),
);

/** All scopes, sorted. */
export const scopes: readonly Scope[] = Object.entries(scopeTable)
  .flatMap(([name, verbs]) => verbs.map((verb) => `${name}.${verb}` as Scope))
  .sort();

/** Returns the scope that a text names, `policies.create` or `policies:create`; undefined if there is none. */
export const toScope = (text: string): Scope | undefined => {
  const dotted = text.replace(':', '.');
  return scopes.find((scope) => scope === dotted);
};

/** The creator of a key or of a change to it. */
export interface Granting {
  readonly scopes?: ReadonlySet<string> | undefined;
  readonly reach?: 'workspace' | 'organisation' | undefined;
  readonly workspace?: string | undefined;
}

const reachErrors = (workspace: string | undefined, maker: Granting): readonly Problem[] => {
  if (maker.reach === 'organisation') return [];
  if (workspace === undefined)
    return [
      problem(
        ['kind'],
        'A key of a workspace cannot grant access to the whole organisation.',
        'Use a key of the organisation, or create a key of the workspace.',
      ),
    ];
  if (workspace === maker.workspace) return [];
  return [
    problem(
      ['workspace_id'],
      'This key reaches only its own workspace.',
      'Leave workspace_id out, or use a key that reaches the other workspace.',
    ),
  ];
};

/**
 * Lists the requested scopes that the creator does not have itself: a key cannot grant a scope or a workspace that its creator
 * lacks. Texts that do not name a scope are not validated; a key of an organisation has no workspace.
 */
export const scopeErrors = (
  { scopes: asked, workspace }: { readonly scopes: readonly string[]; readonly workspace?: string | undefined },
  maker: Granting,
): readonly Problem[] => [
  ...reachErrors(workspace, maker),
  ...asked.flatMap((text, at) => {
    const scope = toScope(text);
    if (scope === undefined || maker.scopes?.has(scope)) return [];
    return [
      problem(
        ['scopes', at],
        `A key cannot grant ${scope}, which it does not have itself.`,
        'Leave the scope out, or use a key that has it.',
      ),
    ];
  }),
];
