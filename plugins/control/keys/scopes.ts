import type { Problem } from './problem.ts';

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
  'analytics.view',
  'logs.write',
  'logs.export',
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
  readonly scopes: readonly Scope[];
  /** The id of its workspace; absent for a key of an organisation. */
  readonly workspace?: string | undefined;
}

/** Whoever makes a key, or changes one. */
export interface Granting {
  readonly scopes?: ReadonlySet<Scope> | undefined;
  readonly reach?: 'workspace' | 'organisation' | undefined;
  readonly workspace?: string | undefined;
}

/** What is asked beyond what the maker has itself: a key grants no scope and no workspace that its maker lacks. */
export const scopeFaults = (asked: AskedGrant, maker: Granting): readonly Problem[] => {
  const beyond =
    maker.reach === 'organisation' || (asked.workspace !== undefined && asked.workspace === maker.workspace)
      ? []
      : [
          asked.workspace === undefined
            ? {
                pointer: '/kind',
                message: 'A key of a workspace cannot grant access to the whole organisation.',
                hint: 'Use a key of the organisation, or ask for a key of the workspace.',
              }
            : {
                pointer: '/workspace_id',
                message: 'This key reaches only its own workspace.',
                hint: 'Leave workspace_id out, or use a key that reaches the other workspace.',
              },
        ];
  const lacking = asked.scopes.flatMap((scope, at) =>
    maker.scopes?.has(scope)
      ? []
      : [
          {
            pointer: `/scopes/${at}`,
            message: `A key cannot grant ${scope}, which it does not have itself.`,
            hint: 'Leave the scope out, or use a key that has it.',
          },
        ],
  );
  return [...beyond, ...lacking];
};
