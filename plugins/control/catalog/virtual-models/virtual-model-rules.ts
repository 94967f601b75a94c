import { aliasConfig } from '../../../../schema/config/alias-config.ts';
import {
  foldVirtualName,
  readVirtualTarget,
  type VirtualModels,
  type VirtualTarget,
} from '../../../../schema/config/virtual-models.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { suggestName } from '../../../../schema/text/closest-name.ts';
import type { TenantConfig, TenantView } from '../../../sdk/control-plane/tenants.ts';
import { withPrompts } from '../../../sdk/control-plane/with-prompts.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { diagnosticProblems } from '../../kernel/requests/diagnostic-problems.ts';
import { changedMeanwhile, conflict, memberProblem, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { VirtualModelRow } from '../../kernel/store/tables.ts';
import { configStore } from '../configs/config-store.ts';
import { namedProviders, refuseDeletedProviders } from '../destinations/missing-providers.ts';

type Body = Partial<Pick<VirtualModelRow, 'name' | 'target'>>;

/** A target as it is stored, and its problems. */
interface ValidatedTarget {
  readonly target: string;
  /** The saved provider of its model. */
  readonly providers?: readonly string[];
  readonly problems: readonly InputProblem[];
}

const wrongForm: InputProblem = memberProblem(
  'target',
  'This names neither a config nor a model of a provider.',
  'Write "config:SLUG" for a config of the workspace, or "@slug/model" for a model of a saved provider.',
);

const toProblems = (diagnostics: Parameters<typeof diagnosticProblems>[0]): readonly InputProblem[] =>
  diagnosticProblems(diagnostics, () => memberProblem('target', '', '').pointer);

/** Reads the text of a config. Throws the `GatewayError` `conflict` if it was deleted since its name was read. */
const readConfig = async (config: TenantConfig): Promise<string> => {
  try {
    return await config.text();
  } catch (error) {
    throw error instanceof GatewayError && error.report.code === 'unknown-config' ? changedMeanwhile() : error;
  }
};

const validateConfig = async (
  { config: name }: Extract<VirtualTarget, { kind: 'config' }>,
  { name: model, workspace_id: tenant }: VirtualModelRow,
  { compile, view }: Pick<ResourceParts, 'compile'> & { readonly view: TenantView },
): Promise<ValidatedTarget> => {
  const config = view.config(name);
  if (config === undefined) {
    const names = [...view.configNames()];
    const hint = suggestName(name, names, 'Save that config first, or name another one of the workspace.');
    const missing = memberProblem('target', `This workspace has no config "${name}".`, hint);
    return { target: `config:${name}`, problems: [missing] };
  }
  const text = await readConfig(config);
  const { saved } = await withPrompts(view, text);
  const target = `config:${config.name}`;
  const models: VirtualModels = { [model]: target };
  const { diagnostics } = await compile(text, { tenant, saved: { ...saved, models }, name: config.name });
  return { target, problems: toProblems(diagnostics) };
};

/** Compiles what a virtual model stands for. A config is stored by its slug, by which plans and conditions name it. */
const validateTarget = async (
  row: VirtualModelRow,
  parts: Pick<ResourceParts, 'compile'> & { readonly view: TenantView },
): Promise<ValidatedTarget> => {
  const { name, target, workspace_id: tenant } = row;
  const read = readVirtualTarget(target);
  if (read === undefined) return { target, problems: [wrongForm] };
  if (read.kind === 'config') return validateConfig(read, row, parts);
  const { saved } = parts.view;
  const { diagnostics, plan } = await parts.compile(aliasConfig(name, read, saved), { tenant, saved, name });
  return { target, problems: toProblems(diagnostics), providers: plan === undefined ? [] : namedProviders(plan) };
};

/** Throws the `GatewayError` `conflict` if a virtual model stands for something that was deleted since it was validated. */
const refuseDeleted = async (
  db: Reading,
  { target, providers = [] }: ValidatedTarget,
  { tenant, overlay }: { readonly tenant: string; readonly overlay: ResourceParts['overlay'] },
): Promise<void> => {
  await refuseDeletedProviders(db, { tenant, overlay, names: providers });
  const read = readVirtualTarget(target);
  if (read?.kind !== 'config' || [...overlay.configNames()].includes(read.config)) return;
  if ((await configStore.find(db, tenant, read.config)) === undefined) throw changedMeanwhile();
};

/** Throws the `GatewayError` `conflict` if the gateway file has a virtual model with this or a similar name. */
const refuseOfFile = (name: string, ofFile: VirtualModels = {}): void => {
  const folded = foldVirtualName(name);
  const taken = Object.keys(ofFile).find((each) => foldVirtualName(each) === folded);
  if (taken !== undefined) throw conflict(`The gateway file has a virtual model "${taken}".`, 'Choose another name.');
};

/** Throws the same error if the workspace has another virtual model whose name differs only in case. */
const refuseSimilar = async (db: Reading, { id, name, workspace_id }: VirtualModelRow): Promise<void> => {
  const others = await db
    .selectFrom('virtual_models')
    .select('name')
    .where('workspace_id', '=', workspace_id)
    .where('id', '!=', id)
    .execute();
  const folded = foldVirtualName(name);
  // An identical name is refused in the same way as for every other resource.
  const taken = others.find((other) => other.name !== name && foldVirtualName(other.name) === folded);
  if (taken !== undefined)
    throw conflict(`This workspace already has a virtual model "${taken.name}".`, 'Choose another name.');
};

/**
 * Refuses a virtual model that stands for nothing, or whose name is taken. Throws the `GatewayError`s `invalid-input` and
 * `conflict`.
 */
export const prepareVirtualModel = async (
  { readView, compile, overlay }: ResourceParts,
  { caller, row, problems }: Writes<VirtualModelRow, Body>,
): Promise<Prepared<VirtualModelRow>> => {
  refuse(problems);
  refuseOfFile(row.name, overlay.models);
  const view = await readView(caller.tenant);
  const validated = await validateTarget(row, { compile, view });
  refuse(validated.problems);
  return {
    columns: { target: validated.target },
    async check(db) {
      await refuseDeleted(db, validated, { tenant: caller.tenant, overlay });
      await refuseSimilar(db, row);
    },
  };
};
