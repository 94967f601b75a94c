import type { InputProblem } from '../../../schema/errors/input-problem.ts';
import { problem } from '../keys/problem.ts';
import { mapConflict } from '../saved/map-conflict.ts';
import { newSlug } from '../saved/new-slug.ts';
import { conflict, refuse } from '../saved/refusals.ts';
import { refuseFull } from '../saved/refuse-full.ts';
import { newId } from '../store/new-id.ts';
import type { PromptRow, PromptVersionRow } from '../store/tables.ts';
import { newVersion } from './new-version.ts';
import { contentIn, type NewPromptBody } from './prompt-bodies.ts';
import type { PromptContent } from './prompt-content.ts';
import { type ChangedPrompt, type PromptCaller, type PromptParts, validateIn } from './prompt-parts.ts';
import type { ReferenceProblems } from './prompt-references.ts';
import { promptStore } from './prompt-store.ts';

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
