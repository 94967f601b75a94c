import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { Page, PageResult } from '../../kernel/records/records.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { findRecord } from '../../kernel/resource/resource-queries.ts';
import type { PromptRow } from '../../kernel/store/tables/tables.ts';
import { promptChanger } from './changed-prompt.ts';
import type { PromptContent } from './content/prompt-content.ts';
import { storedContent } from './content/stored-content.ts';
import { labels } from './labels/labels.ts';
import { promptCreator } from './new-prompt.ts';
import type { FindIncludedPartials } from './store/included-partials.ts';
import { type LabelledVersions, labelledVersions, placeLabel } from './store/label-store.ts';
import { promptReference } from './store/prompt-reference.ts';
import { findVersionHead, type PromptVersionHead, promptStore, readContent } from './store/prompt-store.ts';
import type { NewPromptBody, PromptChangeBody } from './versions/prompt-bodies.ts';
import type { ChangedPrompt, PromptCaller, PromptParts } from './versions/prompt-parts.ts';
import { referenceProblemsBy, servableVersion } from './versions/prompt-references.ts';

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
  list(caller: PromptCaller, collection: string | undefined, page: Page): Promise<PageResult<PromptRow>>;
  /** The version that a reference names. */
  get(caller: PromptCaller, reference: string): Promise<PromptRecord>;
  /** Makes a new version, which is not published yet, of the content in the body; without content there, it makes none. */
  update(caller: PromptCaller, name: string, body: PromptChangeBody): Promise<ChangedPrompt>;
  remove(caller: PromptCaller, name: string): Promise<void>;
  versions(
    caller: PromptCaller,
    name: string,
    page: Page,
  ): Promise<PageResult<PromptVersionHead> & { readonly row: PromptRow; readonly labels: LabelledVersions }>;
  publish(caller: PromptCaller, name: string, version: number): Promise<ChangedPrompt>;
  /** Gives a label to a version, and takes it from the one that had it; without a version, it only takes it. */
  label(caller: PromptCaller, name: string, about: { label: string; version: number | null }): Promise<void>;
}

export const createPromptService = (parts: PromptParts, included: FindIncludedPartials): PromptService => {
  const { store, now } = parts;
  const referenceProblems = referenceProblemsBy(included);
  return {
    create: promptCreator(parts, referenceProblems),
    update: promptChanger(parts, referenceProblems),

    list: ({ tenant }, collection, page) =>
      promptStore.list(
        store.db,
        { workspace_id: tenant, ...(collection === undefined ? {} : { collection_id: collection }) },
        page,
      ),

    async get({ tenant }, reference) {
      const { name, version: wanted } = promptReference(reference) ?? {};
      const row = name === undefined ? undefined : await promptStore.find(store.db, tenant, name);
      const version = row && (await findVersionHead(store.db, row, wanted ?? 'published'));
      const text = version && (await readContent(store.db, tenant, version.id));
      if (row === undefined || version === undefined || text === undefined) throw promptStore.unknown(reference);
      return { row, version, content: storedContent(text), labels: await labelledVersions(store.db, row) };
    },

    remove: ({ tenant }, name) =>
      store.write(async (writing) => promptStore.remove(store, writing, await promptStore.get(writing, tenant, name))),

    async versions({ tenant }, name, page) {
      const row = await promptStore.get(store.db, tenant, name);
      const listed = await promptStore.listVersions(store.db, row, page);
      return { ...listed, row, labels: await labelledVersions(store.db, row) };
    },

    publish: ({ tenant }, name, number) =>
      store.write(async (writing) => {
        const before = await promptStore.get(writing, tenant, name);
        const version = await servableVersion(writing, before, { number, included });
        const row = { ...before, published: version.number, updated_at: now() };
        await promptStore.change(store, writing, { row });
        return { row, versionId: version.id };
      }),

    label: ({ tenant }, name, { label, version }) =>
      store.write(async (writing) => {
        const row = await promptStore.get(writing, tenant, name);
        const known = await findRecord(writing, labels, { caller: { tenant }, name: label });
        const hint = 'GET /v1/labels lists the labels.';
        if (known === undefined)
          throw invalidInput([problem(['label'], `There is no label "${label.slice(0, 255)}".`, hint)]);
        if (version !== null) await servableVersion(writing, row, { number: version, included });
        await promptStore.change(store, writing, { row: { ...row, updated_at: now() } });
        await placeLabel(writing, { row, label: known.id, version });
      }),
  };
};
