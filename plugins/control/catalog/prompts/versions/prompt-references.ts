import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { childPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { problem } from '../../../kernel/requests/problem.ts';
import { refuse } from '../../../kernel/requests/refusals.ts';
import { findRecord } from '../../../kernel/resource/resource-queries.ts';
import type { PromptRow } from '../../../kernel/store/tables/tables.ts';
import { collections } from '../collections/collections.ts';
import { parsePrompt } from '../content/parse-prompt.ts';
import { storedContent } from '../content/stored-content.ts';
import type { FindIncludedPartials } from '../store/included-partials.ts';
import { findVersionHead, type PromptVersionHead, readContent } from '../store/prompt-store.ts';
import { inclusionProblems, type ValidatedPrompt } from './validate-prompt.ts';

/** What a prompt refers to: partials, if its templates can be parsed, and a collection. */
export interface PromptReferences {
  readonly prompt: ValidatedPrompt['prompt'];
  readonly collection: string | null | undefined;
}

/** What is wrong with what a version refers to. */
export type ReferenceProblems = (
  db: Reading,
  tenant: string,
  about: PromptReferences,
) => Promise<readonly InputProblem[]>;

const collectionProblems = async (db: Reading, tenant: string, id: string | null | undefined) => {
  if (
    id === null ||
    id === undefined ||
    (await findRecord(db, collections, { caller: { tenant }, name: id })) !== undefined
  )
    return [];
  const hint = 'GET /v1/collections lists the collections.';
  return [problem(['collection_id'], `There is no collection "${id.slice(0, 255)}".`, hint)];
};

export const referenceProblemsBy =
  (included: FindIncludedPartials): ReferenceProblems =>
  async (db, tenant, { prompt, collection }) => [
    ...(await collectionProblems(db, tenant, collection)),
    ...(prompt === undefined ? [] : await inclusionProblems(db, tenant, { prompt, included })),
  ];

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

const versionPointer = childPointer(rootPointer, 'version');

/**
 * A version that requests are to get from here on: all that it includes must be there. Rejects with the `GatewayError`
 * `invalid-input`.
 */
export const servableVersion = async (
  db: Reading,
  row: PromptRow,
  { number, included }: { readonly number: number; readonly included: FindIncludedPartials },
): Promise<PromptVersionHead> => {
  const version = await numberedVersion(db, row, number);
  const text = await readContent(db, row.workspace_id, version.id);
  const { prompt } = text === undefined ? {} : parsePrompt(storedContent(text));
  if (prompt !== undefined)
    refuse(await inclusionProblems(db, row.workspace_id, { prompt, included, pointer: versionPointer }));
  return version;
};
