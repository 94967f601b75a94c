import { newSlug } from '../../../kernel/records/new-slug.ts';
import { refuseFull } from '../../../kernel/records/refuse-full.ts';
import { conflict, mapConflict } from '../../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import { newId } from '../../../kernel/store/new-id.ts';
import type { PartialRow, PartialVersionRow } from '../../../kernel/store/tables/tables.ts';
import { partialStore } from '../store/partial-store.ts';
import { newVersion } from '../versions/new-version.ts';
import type { PromptCaller } from '../versions/prompt-parts.ts';
import type { NewPartialBody, VersionedPartial } from './partial-parts.ts';
import { parsedPartial, type RefuseInclusion, stringPointer } from './validate-partial.ts';

/** Creates partials, each with its first version, which is published. */
export const partialCreator =
  (
    { store, now }: Pick<ControlParts, 'store' | 'now'>,
    refuseInclusion: RefuseInclusion,
  ): ((caller: PromptCaller, body: NewPartialBody) => Promise<VersionedPartial>) =>
  async (caller, body) => {
    const { tenant } = caller;
    const { name, slug = newSlug(name), string: text, version_description } = body;
    const template = parsedPartial(text);
    const createdAt = now();
    const row: PartialRow = {
      ...{ id: newId(createdAt), workspace_id: tenant, slug, name },
      ...{ published: 1, created_at: createdAt, updated_at: createdAt },
    };
    const version: PartialVersionRow = {
      ...newVersion(caller, { createdAt, description: version_description }),
      ...{ partial_id: row.id, number: 1, text },
    };
    const names = [slug, `${slug}@1`, `${slug}@latest`];
    const taken = () =>
      conflict(`This workspace has a partial "${slug}" already.`, 'Choose another slug, or change that partial.');
    await mapConflict(taken, () =>
      store.write(async (transaction) => {
        refuseFull('partials', await partialStore.count(transaction, { workspace_id: tenant }));
        // Its names may be those of a partial that there is: then it is that, and not a circle, that is told.
        if ((await partialStore.find(transaction, tenant, slug)) === undefined)
          await refuseInclusion(transaction, tenant, { template, names, pointer: stringPointer });
        await partialStore.insert(store, transaction, { row, version });
      }),
    );
    return { row, version };
  };
