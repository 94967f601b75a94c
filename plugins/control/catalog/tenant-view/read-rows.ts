import type { Store } from '../../kernel/store/store.ts';
import type {
  ConfigRow,
  GuardrailRow,
  IntegrationRow,
  ProviderRow,
  VirtualModelRow,
} from '../../kernel/store/tables.ts';

/** A config without its text. */
export type ConfigHead = Pick<ConfigRow, 'id' | 'slug' | 'version_id' | 'is_default'>;

/** The rows of one workspace in the store, without the texts of configs. Each list is sorted by id. */
export interface TenantRows {
  readonly workspace: string;
  readonly organisation: string;
  /** The settings of the organisation and of the workspace, as JSON. */
  readonly settings: { readonly organisation: string; readonly workspace: string };
  readonly providers: readonly ProviderRow[];
  readonly integrations: readonly IntegrationRow[];
  readonly guardrails: readonly GuardrailRow[];
  readonly configs: readonly ConfigHead[];
  readonly virtualModels: readonly Pick<VirtualModelRow, 'name' | 'target'>[];
  /** The columns of prompts and partials that change whenever one of them, its versions or its labels change. */
  readonly prompts: readonly object[];
  readonly promptHeads: readonly PromptHead[];
}

/** A prompt without its versions, and the numbers of the versions that it refers to. */
export interface PromptHead {
  readonly id: string;
  readonly slug: string;
  readonly published: number;
  readonly newest: number;
  /** The number of the version with each label. */
  readonly labels: ReadonlyMap<string, number>;
}

type Reading = Store['db'];

const readWorkspace = (db: Reading, tenant: string) =>
  db
    .selectFrom('workspaces')
    .innerJoin('organisations', 'organisations.id', 'workspaces.organisation_id')
    .select(['organisations.id as organisation', 'organisations.settings as common', 'workspaces.settings as own'])
    .where('workspaces.id', '=', tenant)
    .executeTakeFirst();

const readPrompts = async (db: Reading, tenant: string): Promise<Pick<TenantRows, 'prompts' | 'promptHeads'>> => {
  const [own, newest, labelled, ...others] = await Promise.all([
    db
      .selectFrom('prompts')
      .select(['id', 'slug', 'published'])
      .where('workspace_id', '=', tenant)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('prompt_versions')
      .select(({ fn }) => ['prompt_id', fn.max('number').as('newest')])
      .where('workspace_id', '=', tenant)
      .groupBy('prompt_id')
      .orderBy('prompt_id')
      .execute(),
    db
      .selectFrom('prompt_labels')
      .innerJoin('labels', 'labels.id', 'prompt_labels.label_id')
      .select(['prompt_labels.prompt_id', 'labels.name', 'prompt_labels.version'])
      .where('prompt_labels.workspace_id', '=', tenant)
      .orderBy('prompt_labels.prompt_id')
      .orderBy('prompt_labels.label_id')
      .execute(),
    db
      .selectFrom('partials')
      .select(['id', 'slug', 'published'])
      .where('workspace_id', '=', tenant)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('partial_versions')
      .select(({ fn }) => ['partial_id', fn.max('number').as('newest')])
      .where('workspace_id', '=', tenant)
      .groupBy('partial_id')
      .orderBy('partial_id')
      .execute(),
  ]);
  const newestByPrompt = new Map(newest.map((each) => [each.prompt_id, each.newest]));
  const labelsByPrompt = Map.groupBy(labelled, ({ prompt_id }) => prompt_id);
  return {
    prompts: [own, newest, labelled, ...others].flat(),
    promptHeads: own.map((prompt) => ({
      ...prompt,
      newest: newestByPrompt.get(prompt.id) ?? prompt.published,
      labels: new Map(labelsByPrompt.get(prompt.id)?.map(({ name, version }) => [name, version])),
    })),
  };
};

/** Reads the records of a workspace, with one query per table; returns undefined if the workspace does not exist. */
export const readRows = async (db: Reading, tenant: string): Promise<TenantRows | undefined> => {
  const workspace = await readWorkspace(db, tenant);
  if (workspace === undefined) return undefined;
  const { organisation, common, own } = workspace;
  const [providers, integrations, guardrails, configs, virtualModels, prompts] = await Promise.all([
    db.selectFrom('providers').selectAll().where('workspace_id', '=', tenant).orderBy('id').execute(),
    db.selectFrom('integrations').selectAll().where('organisation_id', '=', organisation).orderBy('id').execute(),
    db
      .selectFrom('guardrails')
      .selectAll()
      .where('organisation_id', '=', organisation)
      .where((where) => where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]))
      .orderBy('id')
      .execute(),
    db
      .selectFrom('configs')
      .select(['id', 'slug', 'version_id', 'is_default'])
      .where('workspace_id', '=', tenant)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('virtual_models')
      .select(['name', 'target'])
      .where('workspace_id', '=', tenant)
      .orderBy('id')
      .execute(),
    readPrompts(db, tenant),
  ]);
  return {
    workspace: tenant,
    organisation,
    settings: { organisation: common, workspace: own },
    providers,
    integrations,
    guardrails,
    configs,
    virtualModels,
    ...prompts,
  };
};
