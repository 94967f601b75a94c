import { GatewayError } from '../../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { findText, toTexts } from '../../../../../schema/json/loose.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { keyBodies } from '../../../access/keys/key-routes.ts';
import { configBodies } from '../../../catalog/configs/config-routes.ts';
import { newPromptSchema, type PromptContent, promptChangeSchema } from '../../../catalog/prompts/prompt-content.ts';
import { partialBodies } from '../../../catalog/prompts/prompt-routes.ts';
import { parseTemplate } from '../../../catalog/prompts/templates/parse-template.ts';
import { stringPointer, templateProblem, validatePrompt } from '../../../catalog/prompts/validate-prompt.ts';
import type { Scope } from '../../../kernel/requests/scopes.ts';
import { rateBodies, usageBodies } from '../../../metering/policies/policy-routes.ts';
import { validateRate, validateUsage } from '../../../metering/policies/validate-policy.ts';
import type { Kind, Schemas } from './kind.ts';

/** Members that the folder of a file determines. */
const saidOtherwise = ['slug', 'workspace_id', 'organisation_id', 'patch'];

const parts = (
  { properties = {}, required = [] }: ParameterSchema,
  { properties: changes = {} }: ParameterSchema,
  { isSlugged }: { readonly isSlugged: boolean },
): Pick<Kind, 'members' | 'required' | 'changeable' | 'byName'> => ({
  members: Object.fromEntries(Object.entries(properties).filter(([name]) => !saidOtherwise.includes(name))) as Schemas,
  required: required.filter((name) => !(isSlugged && name === 'name')),
  changeable: new Set(Object.keys(changes)),
  byName: !isSlugged,
});

const toScopes = (name: 'configs' | 'prompts' | 'policies' | 'keys'): Kind['scopes'] =>
  ({
    ...{ create: `${name}.create`, list: `${name}.list`, get: `${name}.read` },
    ...{ update: `${name}.update`, delete: `${name}.delete` },
  }) as Kind['scopes'];

/** Runs a check of the API that throws its errors, and returns the problems. */
const problemsOf = (check: () => unknown): readonly InputProblem[] => {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.report.errors ?? [];
  }
};

const inWorkspace = { owner: 'workspace', hasSecrets: false, hasDryRun: false } as const;

const labels: ParameterSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'The labels of the published version, by the names of their files.',
};

const publishing: readonly Scope[] = ['prompts.publish'];

const ofWorkspace = (workspace: string | null): Readonly<Record<string, string>> =>
  workspace === null ? {} : { workspace_id: workspace };

const policies = (folder: 'usage-limits' | 'rate-limits', noun: string): Omit<Kind, 'validate'> => ({
  ...{ folder, noun, path: `/policies/${folder}`, ...inWorkspace },
  ...(folder === 'usage-limits'
    ? parts(usageBodies.created, usageBodies.changed, { isSlugged: false })
    : parts(rateBodies.created, rateBodies.changed, { isSlugged: false })),
  isReplaced: true,
  hasDryRun: true,
  scopes: toScopes('policies'),
  listQuery: ofWorkspace,
  normalise: ({ if_unknown = 'allow', ...body }) => (if_unknown === 'allow' ? body : { ...body, if_unknown }),
  toRequest: (body) => ({ ...body, ...(body.if_unknown === null && { if_unknown: 'allow' }) }),
});

/** The kinds that are not described. A kind comes after those that its records refer to. */
export const writtenKinds: readonly Kind[] = [
  {
    ...{ folder: 'partials', noun: 'partial', path: '/prompts/partials', ...inWorkspace },
    ...parts(partialBodies.create, partialBodies.update, { isSlugged: true }),
    scopes: toScopes('prompts'),
    furtherScopes: publishing,
    validate: ({ string }) =>
      (parseTemplate(findText(string) ?? '').problems ?? []).map((each) =>
        templateProblem({ ...each, pointer: stringPointer }),
      ),
  },
  {
    ...{ folder: 'prompts', noun: 'prompt', path: '/prompts', ...inWorkspace },
    ...parts({ ...newPromptSchema, properties: { ...newPromptSchema.properties, labels } }, promptChangeSchema, {
      isSlugged: true,
    }),
    changeable: new Set([...Object.keys(promptChangeSchema.properties ?? {}), 'labels']),
    scopes: toScopes('prompts'),
    furtherScopes: publishing,
    // The schema has checked the required members.
    validate: ({ name, collection_id, version_description, labels: own, ...content }) =>
      validatePrompt(content as unknown as PromptContent, undefined).problems,
    normalise: ({ is_raw_template = 0, labels: own, parameters = {}, ...body }) => ({
      ...body,
      parameters,
      ...(is_raw_template !== 0 && { is_raw_template }),
      ...(toTexts(own).length > 0 && { labels: [...new Set(toTexts(own))].sort() }),
    }),
  },
  {
    ...{ folder: 'configs', noun: 'config', path: '/configs', ...inWorkspace },
    ...parts(configBodies.created, configBodies.changed, { isSlugged: true }),
    ...{ hasSecrets: true, hasDryRun: true },
    scopes: toScopes('configs'),
    normalise: ({ is_default = false, ...body }) => ({ ...body, ...(is_default === true && { is_default }) }),
    toRequest: (body) => ({ ...body, ...(body.is_default === null && { is_default: false }) }),
  },
  {
    ...{ folder: 'keys', noun: 'service key', path: '/api-keys', ...inWorkspace },
    ...parts(keyBodies.created, keyBodies.changed, { isSlugged: false }),
    owner: 'either',
    scopes: toScopes('keys'),
    listQuery: ofWorkspace,
    isListed: ({ status }) => status !== 'revoked',
    normalise: ({ kind, scopes, ...body }) => ({
      ...body,
      scopes: [...toTexts(scopes)].sort(),
      ...(kind === 'workspace-user' && { kind }),
    }),
  },
  {
    ...policies('usage-limits', 'usage limit policy'),
    validate: (body, now) =>
      problemsOf(() => validateUsage(body as unknown as Parameters<typeof validateUsage>[0], now)),
  },
  {
    ...policies('rate-limits', 'rate limit policy'),
    validate: (body) => problemsOf(() => validateRate(body as unknown as Parameters<typeof validateRate>[0])),
  },
];
