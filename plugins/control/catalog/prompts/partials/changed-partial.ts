import { conflict } from '../../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { PartialVersionRow } from '../../../kernel/store/tables/tables.ts';
import { maxVersions } from '../content/limits.ts';
import { partialStore } from '../store/partial-store.ts';
import { newVersion } from '../versions/new-version.ts';
import type { PromptCaller } from '../versions/prompt-parts.ts';
import type { PartialChangeBody, VersionedPartial } from './partial-parts.ts';
import { parsedPartial, type RefuseInclusion, stringPointer } from './validate-partial.ts';

/** Changes partials: with a text in the body, each change makes a new version, which is not published yet. */
export const partialChanger =
  (
    { store, now }: Pick<ControlParts, 'store' | 'now'>,
    refuseInclusion: RefuseInclusion,
  ): ((caller: PromptCaller, name: string, body: PartialChangeBody) => Promise<VersionedPartial>) =>
  async (caller, name, body) => {
    const { tenant } = caller;
    const { string: text, version_description } = body;
    const template = text === undefined ? undefined : parsedPartial(text);
    return store.write(async (writing) => {
      const before = await partialStore.get(writing, tenant, name);
      const newest = await partialStore.getVersion(writing, before, 'latest');
      const createdAt = now();
      const row = { ...before, name: body.name ?? before.name, updated_at: createdAt };
      if (text === undefined || template === undefined) {
        await partialStore.change(store, writing, { row });
        return { row, version: newest };
      }
      const number = newest.number + 1;
      if (number > maxVersions)
        throw conflict(`The partial "${row.slug}" has ${maxVersions} versions.`, 'Create another partial.');
      const names = [`${row.slug}@${number}`, `${row.slug}@latest`];
      await refuseInclusion(writing, tenant, { template, names, pointer: stringPointer });
      const version: PartialVersionRow = {
        ...newVersion(caller, { createdAt, description: version_description }),
        ...{ partial_id: row.id, number, text },
      };
      await partialStore.change(store, writing, { row, version });
      return { row, version };
    });
  };
