import { type Problem, problem } from './problem.ts';

const resources = [
  'configs',
  'prompts',
  'providers',
  'virtual_keys',
  'guardrails',
  'integrations',
  'workspaces',
  'organisation',
  'keys',
  'policies',
  'logs',
] as const;
const verbs = ['create', 'read', 'update', 'delete', 'list'] as const;
const others = [
  'completions.write',
  'prompts.publish',
  'prompts.render',
  'keys.rotate',
  'models.list',
  'metrics.read',
  'analytics.view',
  'logs.view',
  'logs.write',
  'logs.export',
  'audit_logs.list',
] as const;

/** What a key may do: a resource and a verb. `completions.write` is all calls to models. */
export type Scope = `${(typeof resources)[number]}.${(typeof verbs)[number]}` | (typeof others)[number];

/** All scopes, sorted. */
export const scopes: readonly Scope[] = [
  ...resources.flatMap((resource) => verbs.map((verb) => `${resource}.${verb}` as const)),
  ...others,
].sort();

const known: ReadonlySet<string> = new Set(scopes);

const isDotted = (text: string): text is Scope => known.has(text);

/** The scope that a text names, `policies.create` or `policies:create`; undefined if there is none. */
export const toScope = (text: string): Scope | undefined => {
  const dotted = text.replace(':', '.');
  return isDotted(dotted) ? dotted : undefined;
};

/** Whether a text names a scope, with a dot or a colon. */
export const isScope = (text: string): boolean => toScope(text) !== undefined;

/** What a key is asked to be allowed. */
export interface AskedGrant {
  /** As they are asked for; what names no scope is not validated. */
  readonly scopes: readonly string[];
  /** The id of its workspace; absent for a key of an organisation. */
  readonly workspace?: string | undefined;
}

/** Whoever makes a key, or changes one. */
export interface Granting {
  readonly scopes?: ReadonlySet<string> | undefined;
  readonly reach?: 'workspace' | 'organisation' | undefined;
  readonly workspace?: string | undefined;
}

const reachFaults = (workspace: string | undefined, maker: Granting): readonly Problem[] => {
  if (maker.reach === 'organisation') return [];
  if (workspace === undefined)
    return [
      problem(
        ['kind'],
        'A key of a workspace cannot grant access to the whole organisation.',
        'Use a key of the organisation, or make a key of the workspace.',
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

/** What is asked beyond what the maker has itself: a key grants no scope and no workspace that its maker lacks. */
export const scopeFaults = ({ scopes: asked, workspace }: AskedGrant, maker: Granting): readonly Problem[] => [
  ...reachFaults(workspace, maker),
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
