import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { TenantView } from '../../../sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { refuseOtherValues } from '../../kernel/records/fixed-members.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import { newSlug } from '../../kernel/records/new-slug.ts';
import { laterThan, type PageResult, type Reading, untilWritten } from '../../kernel/records/records.ts';
import { type Precondition, refuseChanged } from '../../kernel/requests/precondition.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { findRecord } from '../../kernel/resource/resource-queries.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { PromptRow, PromptVersionRow } from '../../kernel/store/tables.ts';
import { refuseDeletedProviders } from '../destinations/missing-providers.ts';
import type { FindIncludedPartials } from './included-partials.ts';
import { labels } from './labels.ts';
import {
  contentIn,
  type NewPromptBody,
  type PromptChangeBody,
  type PromptContent,
  promptContentRequired,
} from './prompt-content.ts';
import {
  findVersionHead,
  type LabelledVersions,
  labelledVersions,
  newVersion,
  type PromptCaller,
  type PromptVersionHead,
  placeLabel,
  promptReference,
  promptStore,
  readVersion,
  type VersionName,
} from './prompt-store.ts';
import { type PromptReferences, referenceProblems, servableVersion, validatePrompt } from './validate-prompt.ts';
import type { VersionedService } from './versioned-routes.ts';

/** Reports the slug `partials`, which is a segment of other paths. */
const slugProblems = (slug: string): readonly InputProblem[] =>
  slug === 'partials'
    ? [problem(['slug'], '/v1/prompts/partials is the path of the partials.', 'Choose another slug.')]
    : [];

const missingMembers = (content: Partial<PromptContent>): readonly InputProblem[] =>
  promptContentRequired
    .filter((member) => content[member] === undefined)
    .map((member) =>
      problem(
        [member],
        `A version needs "${member}".`,
        'Send it, or send "patch": true to keep that of the newest version.',
      ),
    );

/** The parts of the control plane that prompts need. */
export interface PromptParts extends Pick<ControlParts, 'store' | 'now' | 'overlay'> {
  /** Reads what a tenant has saved at the moment. */
  readView(tenant: TenantId): Promise<Pick<TenantView, 'saved'>>;
}

/** A version of a prompt with its content. */
interface PromptRecord {
  readonly row: PromptRow;
  readonly version: PromptVersionHead;
  readonly content: PromptContent;
  readonly labels: LabelledVersions;
}

/** The operations on the prompts of a workspace. */
export interface PromptService
  extends VersionedService<
    NewPromptBody,
    PromptChangeBody,
    PromptRow,
    PromptRecord,
    PageResult<PromptVersionHead> & Pick<PromptRecord, 'row' | 'labels'>
  > {
  /** Moves a label to a version, from any version that has it; without a version, removes it. */
  label(
    caller: PromptCaller,
    name: string,
    about: { label: string; version: number | null },
    precondition?: Precondition,
  ): Promise<PromptRow>;
}

/** Returns a version of a prompt with its content. Throws the `GatewayError` `not-found`, which names `reference`. */
const getVersion = async (
  db: Reading,
  row: PromptRow,
  { number, reference }: { readonly number: VersionName; readonly reference: string },
): Promise<Pick<PromptRecord, 'version' | 'content'>> => {
  const version = await findVersionHead(db, row, number);
  const stored = version && (await readVersion(db, row.workspace_id, version.id));
  if (version === undefined || stored === undefined) throw promptStore.unknownVersion(row, reference);
  return { version, content: stored.content };
};

export const createPromptService = (parts: PromptParts, included: FindIncludedPartials): PromptService => {
  const { store, now, overlay, readView } = parts;

  const refuseReferences = async (
    db: Reading,
    tenant: string,
    { problems = [], ...about }: PromptReferences & { readonly problems?: readonly InputProblem[] },
  ): Promise<void> => refuse([...problems, ...(await referenceProblems(db, tenant, { ...about, included }))]);

  const refuseDeletedDestination = (db: Reading, tenant: string, name: string): Promise<void> =>
    refuseDeletedProviders(db, { tenant, overlay, names: [name.replace(/^@/, '')] });

  return {
    async create(caller, body) {
      const { tenant } = caller;
      const { name, slug = newSlug(name), collection_id = null, version_description } = body;
      const { saved } = await readView(tenant);
      const validated = validatePrompt(contentIn(body) as PromptContent, saved);
      const problems = [...newNameErrors(body), ...slugProblems(slug), ...validated.problems];
      const about = { prompt: validated.prompt, collection: collection_id };
      if (problems.length > 0) await refuseReferences(store.db, tenant, { ...about, problems });
      const createdAt = now();
      const row: PromptRow = {
        ...{ id: newId(createdAt), workspace_id: tenant, slug, name, collection_id },
        ...{ published: 1, created_at: createdAt, updated_at: createdAt },
      };
      const version: PromptVersionRow = {
        ...newVersion(caller, { createdAt, description: version_description }),
        ...{ prompt_id: row.id, number: 1, content: validated.text },
      };
      await promptStore.create(store, { row, version }, async (writing) => {
        await refuseReferences(writing, tenant, about);
        await refuseDeletedDestination(writing, tenant, body.virtual_key);
        return true;
      });
      return { row, versionId: version.id };
    },

    update: (caller, name, body, precondition) =>
      untilWritten(
        async () => {
          const { tenant } = caller;
          const row = await promptStore.get(store.db, tenant, name);
          refuseOtherValues('prompt', row, { slug: body.slug });
          const newest = await getVersion(store.db, row, { number: 'latest', reference: row.slug });
          const given = contentIn(body);
          const isVersion = body.patch !== true || Object.keys(given).length > 0;
          const content = body.patch === true ? { ...newest.content, ...given } : given;
          const missing = isVersion ? missingMembers(content) : [];
          const saved = given.virtual_key === undefined ? undefined : (await readView(tenant)).saved;
          // All required members are present.
          const validated =
            isVersion && missing.length === 0 ? validatePrompt(content as PromptContent, saved) : undefined;
          const problems = [...newNameErrors(body, row), ...missing, ...(validated?.problems ?? [])];
          const about = { prompt: validated?.prompt, collection: body.collection_id };
          if (problems.length > 0) await refuseReferences(store.db, tenant, { ...about, problems });
          const createdAt = now();
          const version: PromptVersionRow | undefined = validated && {
            ...newVersion(caller, { createdAt, description: body.version_description }),
            ...{
              prompt_id: row.id,
              number: promptStore.nextNumber(row, newest.version.number),
              content: validated.text,
            },
          };
          return store.write(async (writing) => {
            const current = await promptStore.get(writing, tenant, row.id);
            refuseChanged(current, { precondition, what: 'prompt', name });
            const last = await findVersionHead(writing, current, 'latest');
            if (last?.number !== newest.version.number) return undefined;
            await refuseReferences(writing, tenant, about);
            if (given.virtual_key !== undefined) await refuseDeletedDestination(writing, tenant, given.virtual_key);
            const { name: called = current.name, collection_id = current.collection_id } = body;
            const after = { ...current, name: called, collection_id, updated_at: laterThan(current, createdAt) };
            await promptStore.change(store, writing, { row: after, version });
            return { row: after, versionId: version?.id ?? newest.version.id };
          });
        },
        () => conflict('Other requests are changing this prompt at the same time.', 'Try again.'),
      ),

    list: ({ tenant }, page, collection) =>
      promptStore.list(
        store,
        { workspace_id: tenant, ...(collection === undefined ? {} : { collection_id: collection }) },
        page,
      ),

    async get({ tenant }, reference) {
      const wanted = promptReference(reference);
      const row = wanted && (await promptStore.find(store.db, tenant, wanted.name));
      if (row === undefined) throw promptStore.unknown(reference);
      const found = await getVersion(store.db, row, { number: wanted?.version ?? 'published', reference });
      return { row, ...found, labels: await labelledVersions(store.db, row) };
    },

    remove: ({ tenant }, name, precondition) =>
      store.write(async (writing) => {
        const row = await promptStore.get(writing, tenant, name);
        refuseChanged(row, { precondition, what: 'prompt', name });
        await promptStore.remove(store, writing, row);
      }),

    async versions({ tenant }, name, page) {
      const row = await promptStore.get(store.db, tenant, name);
      const listed = await promptStore.listVersions(store.db, row, page);
      return { ...listed, row, labels: await labelledVersions(store.db, row) };
    },

    publish: ({ tenant }, name, number, precondition) =>
      store.write(async (writing) => {
        const before = await promptStore.get(writing, tenant, name);
        refuseChanged(before, { precondition, what: 'prompt', name });
        const version = await servableVersion(writing, before, { number, included, overlay });
        const row = { ...before, published: version.number, updated_at: laterThan(before, now()) };
        await promptStore.change(store, writing, { row });
        return { row, versionId: version.id };
      }),

    label: ({ tenant }, name, { label, version }, precondition) =>
      store.write(async (writing) => {
        const row = await promptStore.get(writing, tenant, name);
        refuseChanged(row, { precondition, what: 'prompt', name });
        const known = await findRecord(writing, labels, { caller: { tenant }, name: label });
        if (known === undefined)
          throw invalidInput([
            problem(['label'], `There is no label "${label.slice(0, 255)}".`, 'GET /v1/labels lists the labels.'),
          ]);
        if (version !== null) await servableVersion(writing, row, { number: version, included, overlay });
        const changed = { ...row, updated_at: laterThan(row, now()) };
        await promptStore.change(store, writing, { row: changed });
        await placeLabel(writing, { row, label: known.id, version });
        return changed;
      }),
  };
};
