import type { JsonObject } from '../../../../schema/json/json.ts';
import { toTexts } from '../../../../schema/json/loose.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { RefusalError, toProblems } from '../client/ask-gateway.ts';
import { type Names, placeOfReferences, toCandidates } from './changes/names.ts';
import type { Step } from './changes/step.ts';
import type { Problems } from './folder/problems.ts';
import { noteSecretsAt } from './folder/secrets.ts';
import { toKey } from './kinds/kind.ts';
import { changeBody, creationBody } from './requests.ts';
import { type ApplyApi, mapRequests } from './store/api.ts';
import type { StoreReader } from './store/read-store.ts';

type Trying = Extract<Step, { readonly action: 'create' | 'change' | 'replace' }>;

/** The parts that trying out steps needs. */
interface TriedParts {
  readonly api: ApplyApi;
  readonly reader: StoreReader;
  readonly names: Names;
  readonly problems: Problems;
  /** The warnings that the gateway will give for the steps. */
  readonly warnings: Problems;
}

/** Returns the body of a request that changes nothing, for a step. */
const toBody = (step: Trying, names: Names): JsonObject =>
  step.action === 'change' ? changeBody(step.wanted, step.found, names) : creationBody(step.wanted, names);

/**
 * Requests the gateway's errors and warnings for each file, without changing anything. References to records that the plan has
 * yet to create cannot be resolved, so errors about them are omitted.
 */
export const tryOut = async (
  { api, reader, names, problems, warnings }: TriedParts,
  steps: readonly Step[],
): Promise<void> => {
  const made = new Set(steps.flatMap(({ action, key }) => (action === 'create' ? [key] : [])));
  const tried = steps.filter(
    (step): step is Trying =>
      'wanted' in step && step.kind.hasDryRun && (step.action !== 'change' || step.changes.length > 0),
  );
  await mapRequests(tried, async (step) => {
    const { kind, wanted } = step;
    // Records of a new workspace are tried out where the caller acts.
    const place = step.place !== null && (await reader.hasWorkspace(step.place)) ? step.place : null;
    const isNew = step.action !== 'change';
    const path = isNew ? kind.path : `${kind.path}/${step.found.id}`;
    const method = isNew ? 'POST' : 'PUT';
    const places: JsonPointer[] = wanted.references
      .filter((reference) =>
        toCandidates(reference, placeOfReferences(step)).some((each) =>
          made.has(toKey(each.kind, each.place, each.handle)),
        ),
      )
      .map(({ pointer }) => pointer);
    // A policy names its workspace, which may have to be created first.
    if (place !== step.place) places.push('/workspace_id' as JsonPointer);
    const isOfNew = ({ pointer }: { readonly pointer: string }): boolean =>
      places.some((each) => pointer === each || pointer.startsWith(`${each}/`));
    try {
      const { body } = await api.ask({ method, path, query: { dry_run: 'true' }, body: toBody(step, names) }, place);
      const found = toProblems(body.diagnostics).filter((each) => !isOfNew(each));
      for (const each of found) (each.severity === 'error' ? problems : warnings).add(wanted.file, [each]);
      noteSecretsAt(wanted, toTexts(body.secrets), problems);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const { status, message, problems: found } = error.refusal;
      if (found.length > 0)
        problems.add(
          wanted.file,
          found.filter((each) => !isOfNew(each)),
        );
      else if (status !== 404) problems.at(wanted.file, '', { message, hint: '' });
    }
  });
};
