import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { childPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import { describeUses } from '../../../kernel/records/describe-uses.ts';
import type { Page, PageResult } from '../../../kernel/records/records.ts';
import { problem } from '../../../kernel/requests/problem.ts';
import { conflict } from '../../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { PartialRow } from '../../../kernel/store/tables/tables.ts';
import type { FindIncludedPartials } from '../store/included-partials.ts';
import { type PartialVersionHead, partialStore } from '../store/partial-store.ts';
import { partialReference } from '../templates/partial-reference.ts';
import type { PromptCaller } from '../versions/prompt-parts.ts';
import { partialChanger } from './changed-partial.ts';
import { partialCreator } from './new-partial.ts';
import type { NewPartialBody, PartialChangeBody, VersionedPartial } from './partial-parts.ts';
import { usesOfPartial } from './uses-of-partial.ts';
import { inclusionRefuser, parsedPartial } from './validate-partial.ts';

/** What can be done with the partials of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface PartialService {
  create(caller: PromptCaller, body: NewPartialBody): Promise<VersionedPartial>;
  list(caller: PromptCaller, page: Page): Promise<PageResult<PartialRow>>;
  /** The version that `slug`, `slug@5` or `slug@latest` names; an id is as good as the slug. */
  get(caller: PromptCaller, reference: string): Promise<VersionedPartial>;
  /** Makes a new version, which is not published yet. */
  update(caller: PromptCaller, name: string, body: PartialChangeBody): Promise<VersionedPartial>;
  /** Only one that nothing in use names. */
  remove(caller: PromptCaller, name: string): Promise<void>;
  versions(
    caller: PromptCaller,
    name: string,
    page: Page,
  ): Promise<PageResult<PartialVersionHead> & { readonly row: PartialRow }>;
  publish(caller: PromptCaller, name: string, version: number): Promise<VersionedPartial>;
}

export const createPartialService = (
  parts: Pick<ControlParts, 'store' | 'now'>,
  included: FindIncludedPartials,
): PartialService => {
  const { store, now } = parts;
  const refuseInclusion = inclusionRefuser(included);
  return {
    create: partialCreator(parts, refuseInclusion),
    update: partialChanger(parts, refuseInclusion),

    list: ({ tenant }, page) => partialStore.list(store.db, { workspace_id: tenant }, page),

    async get({ tenant }, name) {
      const { slug = name, version: wanted = 'published' } = partialReference(name) ?? {};
      const row = await partialStore.get(store.db, tenant, slug);
      return { row, version: await partialStore.getVersion(store.db, row, wanted) };
    },

    remove: ({ tenant }, name) =>
      store.write(async (writing) => {
        const row = await partialStore.get(writing, tenant, name);
        const uses = await usesOfPartial(writing, row);
        if (uses.length > 0)
          throw conflict(
            `The partial "${row.slug}" is named by ${describeUses(uses)}.`,
            'Take it out of their templates, and publish those, first.',
          );
        await partialStore.remove(store, writing, row);
      }),

    async versions({ tenant }, name, page) {
      const row = await partialStore.get(store.db, tenant, name);
      return { ...(await partialStore.listVersions(store.db, row, page)), row };
    },

    publish: ({ tenant }, name, number) =>
      store.write(async (writing) => {
        const before = await partialStore.get(writing, tenant, name);
        const version = await partialStore.findVersion(writing, before, number);
        const hint = 'GET /v1/prompts/partials/{id}/versions lists its versions.';
        if (version === undefined)
          throw invalidInput([problem(['version'], `The partial "${before.slug}" has no version ${number}.`, hint)]);
        const row = { ...before, published: number, updated_at: now() };
        const about = {
          template: parsedPartial(version.text),
          names: [row.slug],
          pointer: childPointer(rootPointer, 'version'),
        };
        await refuseInclusion(writing, tenant, about);
        await partialStore.change(store, writing, { row });
        return { row, version };
      }),
  };
};
