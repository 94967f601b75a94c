import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { newSlug } from '../../kernel/records/new-slug.ts';
import { refuseFull } from '../../kernel/records/refuse-full.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { conflict, mapConflict, refuse } from '../../kernel/requests/refusals.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { PromptRow, PromptVersionRow } from '../../kernel/store/tables/tables.ts';
import type { PromptContent } from './content/prompt-content.ts';
import { promptStore } from './store/prompt-store.ts';
import { newVersion } from './versions/new-version.ts';
import { contentIn, type NewPromptBody } from './versions/prompt-bodies.ts';
import { type ChangedPrompt, type PromptCaller, type PromptParts, validateIn } from './versions/prompt-parts.ts';
import type { ReferenceProblems } from './versions/prompt-references.ts';

/** `partials` is a segment of other paths. */
const slugProblems = (slug: string): readonly InputProblem[] =>
  slug === 'partials'
    ? [problem(['slug'], '/v1/prompts/partials is the path of the partials.', 'Choose another slug.')]
    : [];

/** Creates prompts, each with its first version, which is published. */
export const promptCreator = (
  parts: PromptParts,
  referenceProblems: ReferenceProblems,
): ((caller: PromptCaller, body: NewPromptBody) => Promise<ChangedPrompt>) => {
  const { store, now } = parts;
  return async (caller, body) => {
    const { tenant } = caller;
    const { name, slug = newSlug(name), collection_id = null, version_description } = body;
    const validated = await validateIn(parts, tenant, {
      content: contentIn(body) as PromptContent,
      isDestinationGiven: true,
    });
    const problems = [...slugProblems(slug), ...validated.problems];
    const about = { prompt: validated.prompt, collection: collection_id };
    if (problems.length > 0) refuse([...problems, ...(await referenceProblems(store.db, tenant, about))]);
    const createdAt = now();
    const row: PromptRow = {
      ...{ id: newId(createdAt), workspace_id: tenant, slug, name, collection_id },
      ...{ published: 1, created_at: createdAt, updated_at: createdAt },
    };
    const version: PromptVersionRow = {
      ...newVersion(caller, { createdAt, description: version_description }),
      ...{ prompt_id: row.id, number: 1, content: validated.text },
    };
    const taken = () =>
      conflict(`This workspace has a prompt "${slug}" already.`, 'Choose another slug, or change that prompt.');
    await mapConflict(taken, () =>
      store.write(async (transaction) => {
        refuseFull('prompts', await promptStore.count(transaction, { workspace_id: tenant }));
        refuse(await referenceProblems(transaction, tenant, about));
        await promptStore.insert(store, transaction, { row, version });
      }),
    );
    return { row, versionId: version.id };
  };
};
