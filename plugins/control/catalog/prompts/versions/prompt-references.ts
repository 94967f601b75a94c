import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { childPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { problem } from '../../../kernel/requests/problem.ts';
import { refuse } from '../../../kernel/requests/refusals.ts';
import { findRecord } from '../../../kernel/resource/resource-queries.ts';
import type { PromptRow } from '../../../kernel/store/tables/tables.ts';
import { collections } from '../collections/collections.ts';
import { type ParsedPrompt, parsePrompt, placedTemplates } from '../content/parse-prompt.ts';
import type { FindIncludedPartials } from '../store/included-partials.ts';
import { findVersionHead, type PromptVersionHead, readVersion } from '../store/prompt-store.ts';
import { inclusionProblems } from './inclusion-problems.ts';

/** The references of a prompt: to partials, if its templates can be parsed, and to a collection. */
export interface PromptReferences {
  readonly prompt: ParsedPrompt | undefined;
  readonly collection: string | null | undefined;
}

/** Finds what is wrong with what a version refers to. */
export const referenceProblems = async (
  db: Reading,
  tenant: string,
  { prompt, collection, included }: PromptReferences & { readonly included: FindIncludedPartials },
): Promise<readonly InputProblem[]> => {
  const known = collection ? await findRecord(db, collections, { caller: { tenant }, name: collection }) : undefined;
  const message = `There is no collection "${collection?.slice(0, 255)}".`;
  return [
    ...(collection === null || collection === undefined || known !== undefined
      ? []
      : [problem(['collection_id'], message, 'GET /v1/collections lists the collections.')]),
    ...(prompt === undefined
      ? []
      : await inclusionProblems(db, tenant, { templates: placedTemplates(prompt), included })),
  ];
};

/**
 * Finds a version that requests are to get from here on: all that it includes must exist. Rejects with the
 * `GatewayError` `invalid-input`.
 */
export const servableVersion = async (
  db: Reading,
  row: PromptRow,
  { number, included }: { readonly number: number; readonly included: FindIncludedPartials },
): Promise<PromptVersionHead> => {
  const version = await findVersionHead(db, row, number);
  const hint = 'GET /v1/prompts/{id}/versions lists its versions.';
  if (version === undefined)
    throw invalidInput([problem(['version'], `The prompt "${row.slug}" has no version ${number}.`, hint)]);
  const stored = await readVersion(db, row.workspace_id, version.id);
  const { prompt } = stored === undefined ? {} : parsePrompt(stored.content);
  const templates = prompt === undefined ? [] : placedTemplates(prompt);
  const pointer = childPointer(rootPointer, 'version');
  refuse(await inclusionProblems(db, row.workspace_id, { templates, included, pointer }));
  return version;
};
