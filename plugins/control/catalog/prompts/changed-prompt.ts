import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { type Reading, untilWritten } from '../../kernel/records/records.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { PromptRow, PromptVersionRow } from '../../kernel/store/tables/tables.ts';
import { maxVersions } from './content/limits.ts';
import { type PromptContent, promptContentRequired } from './content/prompt-content.ts';
import { storedContent } from './content/stored-content.ts';
import { findVersionHead, type PromptVersionHead, promptStore, readContent } from './store/prompt-store.ts';
import { newVersion } from './versions/new-version.ts';
import { contentIn, type PromptChangeBody } from './versions/prompt-bodies.ts';
import { type ChangedPrompt, type PromptCaller, type PromptParts, validateIn } from './versions/prompt-parts.ts';
import type { ReferenceProblems } from './versions/prompt-references.ts';
import type { ValidatedPrompt } from './versions/validate-prompt.ts';

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

/** The newest version of a prompt with its content. */
const findNewest = async (
  db: Reading,
  row: PromptRow,
): Promise<{ version: PromptVersionHead; content: PromptContent }> => {
  const version = await findVersionHead(db, row, 'latest');
  const text = version && (await readContent(db, row.workspace_id, version.id));
  // A prompt has at least one version: it was deleted meanwhile.
  if (version === undefined || text === undefined) throw promptStore.unknown(row.slug);
  return { version, content: storedContent(text) };
};

/** Changes prompts: with content in the body, each change makes a new version, which is not published yet. */
export const promptChanger = (
  parts: PromptParts,
  referenceProblems: ReferenceProblems,
): ((caller: PromptCaller, name: string, body: PromptChangeBody) => Promise<ChangedPrompt>) => {
  const { store, now } = parts;

  /** One attempt to change a prompt; undefined if others changed it meanwhile. */
  const attempt = async (caller: PromptCaller, name: string, body: PromptChangeBody) => {
    const { tenant } = caller;
    const row = await promptStore.get(store.db, tenant, name);
    const newest = await findNewest(store.db, row);
    const given = contentIn(body);
    const isVersion = body.patch !== true || Object.keys(given).length > 0;
    const content = body.patch === true ? { ...newest.content, ...given } : given;
    const missing = isVersion ? missingMembers(content) : [];
    const about = { prompt: undefined as ValidatedPrompt['prompt'], collection: body.collection_id };
    if (missing.length > 0) refuse([...missing, ...(await referenceProblems(store.db, tenant, about))]);
    // All required members are there.
    const validated = isVersion
      ? await validateIn(parts, tenant, {
          content: content as PromptContent,
          isDestinationGiven: given.virtual_key !== undefined,
        })
      : undefined;
    about.prompt = validated?.prompt;
    if (validated !== undefined && validated.problems.length > 0)
      refuse([...validated.problems, ...(await referenceProblems(store.db, tenant, about))]);
    if (isVersion && newest.version.number >= maxVersions)
      throw conflict(`The prompt "${row.slug}" has ${maxVersions} versions.`, 'Create another prompt.');
    const createdAt = now();
    const number = newest.version.number + 1;
    const version: PromptVersionRow | undefined = validated && {
      ...newVersion(caller, { createdAt, description: body.version_description }),
      ...{ prompt_id: row.id, number, content: validated.text },
    };
    return store.write(async (writing) => {
      const current = await promptStore.get(writing, tenant, row.id);
      const last = await findVersionHead(writing, current, 'latest');
      if (last?.number !== newest.version.number) return undefined;
      refuse(await referenceProblems(writing, tenant, about));
      const { name: called = current.name, collection_id = current.collection_id } = body;
      const after = { ...current, name: called, collection_id, updated_at: createdAt };
      await promptStore.change(store, writing, { row: after, version });
      return { row: after, versionId: version?.id ?? newest.version.id };
    });
  };

  const busy = () => conflict('Others change this prompt at the same time.', 'Try again.');
  return (caller, name, body) => untilWritten(() => attempt(caller, name, body), busy);
};
