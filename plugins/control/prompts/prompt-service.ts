import type { InputProblem } from '../../../schema/input-problem.ts';
import { invalidInput } from '../../../schema/invalid-input.ts';
import { childPointer, rootPointer } from '../../../schema/pointer.ts';
import type { TenantId } from '../../sdk/exchange.ts';
import type { TenantView } from '../../sdk/tenants.ts';
import type { ControlParts } from '../control-parts.ts';
import { problem } from '../keys/problem.ts';
import { newSlug } from '../saved/new-slug.ts';
import { isConflict } from '../store/is-conflict.ts';
import { newId } from '../store/new-id.ts';
import type { PromptRow, PromptVersionRow } from '../store/tables.ts';
import { conflict, notFound, refuse } from './answers.ts';
import { findCollection } from './collections/collection-store.ts';
import { inclusionProblems, type JudgedPrompt, judgePrompt } from './judge-prompt.ts';
import { findLabel, type LabelledVersions, labelledVersions, placeLabel } from './labels/label-store.ts';
import { mostPrompts, mostVersions } from './limits.ts';
import { parsePrompt } from './parse-prompt.ts';
import type { FindIncludedPartials } from './partials/included-partials.ts';
import { contentIn, type NewPromptBody, type PromptChangeBody } from './prompt-bodies.ts';
import { type PromptContent, promptContentRequired } from './prompt-content.ts';
import { promptReference } from './prompt-reference.ts';
import {
  changePrompt,
  countPrompts,
  deletePrompt,
  findPrompt,
  findVersionHead,
  insertPrompt,
  type Listed,
  listPrompts,
  listPromptVersions,
  type Part,
  type PromptVersionHead,
  type Reading,
  readContent,
} from './prompt-store.ts';
import { storedContent } from './stored-content.ts';

/** Whose prompts they are, and the id of the key that acts. */
export interface PromptCaller {
  readonly tenant: TenantId;
  readonly keyId?: string | undefined;
}

/** A prompt that was changed, and the version that the change is about. */
export interface ChangedPrompt {
  readonly row: PromptRow;
  readonly versionId: string;
}

/** A version of a prompt with its content. */
export interface PromptRecord {
  readonly row: PromptRow;
  readonly version: PromptVersionHead;
  readonly content: PromptContent;
  readonly labels: LabelledVersions;
}

/** What can be done with the prompts of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface PromptService {
  create(caller: PromptCaller, body: NewPromptBody): Promise<ChangedPrompt>;
  list(caller: PromptCaller, collection: string | undefined, part: Part): Promise<Listed<PromptRow>>;
  /** The version that a reference names. */
  get(caller: PromptCaller, reference: string): Promise<PromptRecord>;
  /** Makes a new version, which is not published yet, of the content in the body; without content there, it makes none. */
  update(caller: PromptCaller, name: string, body: PromptChangeBody): Promise<ChangedPrompt>;
  remove(caller: PromptCaller, name: string): Promise<void>;
  versions(
    caller: PromptCaller,
    name: string,
    part: Part,
  ): Promise<Listed<PromptVersionHead> & { readonly row: PromptRow; readonly labels: LabelledVersions }>;
  publish(caller: PromptCaller, name: string, version: number): Promise<ChangedPrompt>;
  /** Gives a label to a version, and takes it from the one that had it; without a version, it only takes it. */
  label(caller: PromptCaller, name: string, about: { label: string; version: number | null }): Promise<void>;
}

/** What prompts need of the control plane. */
export interface PromptParts extends Pick<ControlParts, 'store' | 'now'> {
  /** What a tenant has saved now. */
  viewOf(tenant: TenantId): Promise<Pick<TenantView, 'saved'>>;
}

const mostAttempts = 5;

export const unknownPrompt = (name: string): Error => notFound('prompt', name, 'GET /v1/prompts');

const found = async (db: Reading, tenant: string, name: string): Promise<PromptRow> => {
  // A name with a version names no prompt as a whole.
  const row = promptReference(name)?.name === name ? await findPrompt(db, tenant, name) : undefined;
  if (row === undefined) throw unknownPrompt(name);
  return row;
};

const versionPointer = childPointer(rootPointer, 'version');

/** A version that a body names. Throws the `GatewayError` `invalid-input`. */
const numberedVersion = async (db: Reading, row: PromptRow, number: number): Promise<PromptVersionHead> => {
  const version = await findVersionHead(db, row, number);
  if (version === undefined)
    throw invalidInput([
      problem(
        ['version'],
        `The prompt "${row.slug}" has no version ${number}.`,
        'GET /v1/prompts/{id}/versions lists its versions.',
      ),
    ]);
  return version;
};

/** `partials` is a segment of other paths. */
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

export const createPromptService = (
  { store, now, viewOf }: PromptParts,
  included: FindIncludedPartials,
): PromptService => {
  const collectionProblems = async (db: Reading, tenant: string, id: string | null | undefined) => {
    if (id === null || id === undefined || (await findCollection(db, tenant, id)) !== undefined) return [];
    const hint = 'GET /v1/collections lists the collections.';
    return [problem(['collection_id'], `There is no collection "${id.slice(0, 255)}".`, hint)];
  };

  /** What is wrong with what a version refers to. */
  const referenceProblems = async (
    db: Reading,
    tenant: string,
    about: { readonly prompt: JudgedPrompt['prompt']; readonly collection: string | null | undefined },
  ): Promise<readonly InputProblem[]> => [
    ...(await collectionProblems(db, tenant, about.collection)),
    ...(about.prompt === undefined ? [] : await inclusionProblems(db, tenant, { prompt: about.prompt, included })),
  ];

  /** A version that requests are to get from here on: all that it includes must be there. */
  const servableVersion = async (db: Reading, row: PromptRow, number: number): Promise<PromptVersionHead> => {
    const version = await numberedVersion(db, row, number);
    const text = await readContent(db, row.workspace_id, version.id);
    const { prompt } = text === undefined ? {} : parsePrompt(storedContent(text));
    if (prompt !== undefined)
      refuse(await inclusionProblems(db, row.workspace_id, { prompt, included, pointer: versionPointer }));
    return version;
  };

  const judge = async (tenant: TenantId, content: PromptContent, isDestinationGiven: boolean): Promise<JudgedPrompt> =>
    judgePrompt(content, isDestinationGiven ? (await viewOf(tenant)).saved : undefined);

  const toVersion = (
    { tenant, keyId }: PromptCaller,
    version: Pick<PromptVersionRow, 'prompt_id' | 'number' | 'content' | 'created_at'>,
    description: string | undefined,
  ): PromptVersionRow => ({
    ...version,
    id: newId(version.created_at),
    workspace_id: tenant,
    description: description ?? null,
    created_by: keyId ?? null,
  });

  /** The newest version of a prompt with its content. */
  const newestOf = async (row: PromptRow): Promise<{ version: PromptVersionHead; content: PromptContent }> => {
    const version = await findVersionHead(store.db, row, 'latest');
    const text = version && (await readContent(store.db, row.workspace_id, version.id));
    // A prompt has at least one version: it was deleted meanwhile.
    if (version === undefined || text === undefined) throw unknownPrompt(row.slug);
    return { version, content: storedContent(text) };
  };

  /** One attempt to change a prompt; undefined if others changed it meanwhile. */
  const attempt = async (caller: PromptCaller, name: string, body: PromptChangeBody) => {
    const { tenant } = caller;
    const row = await found(store.db, tenant, name);
    const newest = await newestOf(row);
    const given = contentIn(body);
    const isVersion = body.patch !== true || Object.keys(given).length > 0;
    const content = body.patch === true ? { ...newest.content, ...given } : given;
    const missing = isVersion ? missingMembers(content) : [];
    const about = { prompt: undefined as JudgedPrompt['prompt'], collection: body.collection_id };
    if (missing.length > 0) refuse([...missing, ...(await referenceProblems(store.db, tenant, about))]);
    // All required members are there.
    const judged = isVersion
      ? await judge(tenant, content as PromptContent, given.virtual_key !== undefined)
      : undefined;
    about.prompt = judged?.prompt;
    if (judged !== undefined && judged.problems.length > 0)
      refuse([...judged.problems, ...(await referenceProblems(store.db, tenant, about))]);
    if (isVersion && newest.version.number >= mostVersions)
      throw conflict(`The prompt "${row.slug}" has ${mostVersions} versions.`, 'Create another prompt.');
    const made = now();
    const number = newest.version.number + 1;
    const version =
      judged &&
      toVersion(
        caller,
        { prompt_id: row.id, number, content: judged.text, created_at: made },
        body.version_description,
      );
    return store.write(async (writing) => {
      const current = await found(writing, tenant, row.id);
      const last = await findVersionHead(writing, current, 'latest');
      if (last?.number !== newest.version.number) return undefined;
      refuse(await referenceProblems(writing, tenant, about));
      const { name: called = current.name, collection_id = current.collection_id } = body;
      const after = { ...current, name: called, collection_id, updated_at: made };
      await changePrompt(store, writing, { row: after, version });
      return { row: after, versionId: version?.id ?? newest.version.id };
    });
  };

  return {
    async create(caller, body) {
      const { tenant } = caller;
      const { name, slug = newSlug(name), collection_id = null, version_description } = body;
      const judged = await judge(tenant, contentIn(body) as PromptContent, true);
      const problems = [...slugProblems(slug), ...judged.problems];
      const about = { prompt: judged.prompt, collection: collection_id };
      if (problems.length > 0) refuse([...problems, ...(await referenceProblems(store.db, tenant, about))]);
      const made = now();
      const row: PromptRow = {
        ...{ id: newId(made), workspace_id: tenant, slug, name, collection_id },
        ...{ published: 1, created_at: made, updated_at: made },
      };
      const version = toVersion(
        caller,
        { prompt_id: row.id, number: 1, content: judged.text, created_at: made },
        version_description,
      );
      const writing = store.write(async (transaction) => {
        if ((await countPrompts(transaction, tenant)) >= mostPrompts)
          throw conflict(`This workspace has ${mostPrompts} prompts.`, 'Delete those that nobody needs.');
        refuse(await referenceProblems(transaction, tenant, about));
        await insertPrompt(store, transaction, { row, version });
      });
      await writing.catch((error: unknown) => {
        if (!isConflict(error)) throw error;
        throw conflict(`This workspace has a prompt "${slug}" already.`, 'Choose another slug, or change that prompt.');
      });
      return { row, versionId: version.id };
    },

    list: ({ tenant }, collection, part) => listPrompts(store.db, tenant, { collection, part }),

    async get({ tenant }, reference) {
      const { name, version: wanted } = promptReference(reference) ?? {};
      const row = name === undefined ? undefined : await findPrompt(store.db, tenant, name);
      const version = row && (await findVersionHead(store.db, row, wanted ?? 'published'));
      const text = version && (await readContent(store.db, tenant, version.id));
      if (row === undefined || version === undefined || text === undefined) throw unknownPrompt(reference);
      return { row, version, content: storedContent(text), labels: await labelledVersions(store.db, row) };
    },

    async update(caller, name, body) {
      for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
        const changed = await attempt(caller, name, body);
        if (changed !== undefined) return changed;
      }
      throw conflict('Others change this prompt at the same time.', 'Try again.');
    },

    remove: ({ tenant }, name) =>
      store.write(async (writing) => deletePrompt(store, writing, await found(writing, tenant, name))),

    async versions({ tenant }, name, part) {
      const row = await found(store.db, tenant, name);
      const listed = await listPromptVersions(store.db, row, part);
      return { ...listed, row, labels: await labelledVersions(store.db, row) };
    },

    publish: ({ tenant }, name, number) =>
      store.write(async (writing) => {
        const before = await found(writing, tenant, name);
        const version = await servableVersion(writing, before, number);
        const row = { ...before, published: version.number, updated_at: now() };
        await changePrompt(store, writing, { row });
        return { row, versionId: version.id };
      }),

    label: ({ tenant }, name, { label, version }) =>
      store.write(async (writing) => {
        const row = await found(writing, tenant, name);
        const known = await findLabel(writing, tenant, label);
        const hint = 'GET /v1/labels lists the labels.';
        if (known === undefined)
          throw invalidInput([problem(['label'], `There is no label "${label.slice(0, 255)}".`, hint)]);
        if (version !== null) await servableVersion(writing, row, version);
        await changePrompt(store, writing, { row: { ...row, updated_at: now() } });
        await placeLabel(writing, { row, label: known.id, version });
      }),
  };
};
