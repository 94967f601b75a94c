import type { InputProblem } from '../../../../schema/input-problem.ts';
import { invalidInput } from '../../../../schema/invalid-input.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/pointer.ts';
import type { ControlParts } from '../../control-parts.ts';
import { problem } from '../../keys/problem.ts';
import { newSlug } from '../../saved/new-slug.ts';
import { isConflict } from '../../store/is-conflict.ts';
import { newId } from '../../store/new-id.ts';
import type { PartialRow, PartialVersionRow } from '../../store/tables.ts';
import { conflict, notFound, refuse } from '../answers.ts';
import { tooMuchIncluded } from '../judge-prompt.ts';
import { mostPrompts, mostVersions } from '../limits.ts';
import { missingPartials, sizeProblems, templateProblem } from '../prompt-problems.ts';
import type { PromptCaller } from '../prompt-service.ts';
import type { Listed, Part, Reading } from '../prompt-store.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import { partialCycle } from '../templates/partial-cycle.ts';
import { partialReference } from '../templates/partial-reference.ts';
import type { PartialReference, Template } from '../templates/template.ts';
import type { FindIncludedPartials } from './included-partials.ts';
import {
  changePartial,
  countPartials,
  deletePartial,
  findPartial,
  findPartialVersion,
  insertPartial,
  listPartials,
  listPartialVersions,
  type PartialVersionHead,
} from './partial-store.ts';
import { usesOfPartial } from './uses-of-partial.ts';

export interface NewPartialBody {
  readonly name: string;
  readonly string: string;
  readonly slug?: string;
  readonly version_description?: string;
}

/** With `string` it makes a new version. */
export interface PartialChangeBody {
  readonly name?: string;
  readonly string?: string;
  readonly version_description?: string;
}

/** A partial, and the version that a request is about. */
export interface VersionedPartial {
  readonly row: PartialRow;
  readonly version: PartialVersionRow;
}

/** What can be done with the partials of a workspace. All methods reject with a `GatewayError`, or as the store does. */
export interface PartialService {
  create(caller: PromptCaller, body: NewPartialBody): Promise<VersionedPartial>;
  list(caller: PromptCaller, part: Part): Promise<Listed<PartialRow>>;
  /** The version that `slug`, `slug@5` or `slug@latest` names; an id is as good as the slug. */
  get(caller: PromptCaller, reference: string): Promise<VersionedPartial>;
  /** Makes a new version, which is not published yet. */
  update(caller: PromptCaller, name: string, body: PartialChangeBody): Promise<VersionedPartial>;
  /** Only one that nothing in use names. */
  remove(caller: PromptCaller, name: string): Promise<void>;
  versions(
    caller: PromptCaller,
    name: string,
    part: Part,
  ): Promise<Listed<PartialVersionHead> & { readonly row: PartialRow }>;
  publish(caller: PromptCaller, name: string, version: number): Promise<VersionedPartial>;
}

const stringPointer = childPointer(rootPointer, 'string');

const unknown = (name: string): Error => notFound('partial', name, 'GET /v1/prompts/partials');

const found = async (db: Reading, tenant: string, name: string): Promise<PartialRow> => {
  const row = partialReference(name)?.slug === name ? await findPartial(db, tenant, name) : undefined;
  if (row === undefined) throw unknown(name);
  return row;
};

const versionOf = async (
  db: Reading,
  row: PartialRow,
  version: PartialReference['version'],
): Promise<PartialVersionRow> => {
  const known = await findPartialVersion(db, row, version);
  if (known === undefined) throw unknown(`${row.slug}@${version}`);
  return known;
};

/** The template of a partial. Throws the `GatewayError` `invalid-input`. */
const parsed = (text: string): Template => {
  const { template = { nodes: [] }, problems = [] } = parseTemplate(text);
  refuse([
    ...problems.map((each) => templateProblem({ ...each, pointer: stringPointer })),
    ...sizeProblems(text, stringPointer),
  ]);
  return template;
};

export const createPartialService = (
  { store, now }: Pick<ControlParts, 'store' | 'now'>,
  included: FindIncludedPartials,
): PartialService => {
  /**
   * What is wrong with what a template includes, when the references `names` name it. Partials that include each other are
   * a problem at `pointer`.
   */
  const inclusionProblems = async (
    db: Reading,
    tenant: string,
    about: { readonly template: Template; readonly names: readonly string[]; readonly pointer: JsonPointer },
  ): Promise<readonly InputProblem[]> => {
    const { template, names, pointer } = about;
    const [start = ''] = names;
    const others = new Map(names.map((name) => [name, template]));
    try {
      const known = await included(db, tenant, { templates: [template], others });
      const cycle = await partialCycle({ name: start, template }, (name) => known.get(name));
      const hint = 'Take one of these tags out.';
      return [
        ...missingPartials([{ template }], known, pointer),
        ...(cycle === undefined ? [] : [{ pointer, message: cycle.message, hint }]),
      ];
    } catch (error) {
      return [tooMuchIncluded(error, pointer)];
    }
  };

  const toVersion = (
    { tenant, keyId }: PromptCaller,
    version: Pick<PartialVersionRow, 'partial_id' | 'number' | 'text' | 'created_at'>,
    description: string | undefined,
  ): PartialVersionRow => ({
    ...version,
    id: newId(version.created_at),
    workspace_id: tenant,
    description: description ?? null,
    created_by: keyId ?? null,
  });

  return {
    async create(caller, body) {
      const { tenant } = caller;
      const { name, slug = newSlug(name), string: text, version_description } = body;
      const template = parsed(text);
      const made = now();
      const row: PartialRow = {
        ...{ id: newId(made), workspace_id: tenant, slug, name },
        ...{ published: 1, created_at: made, updated_at: made },
      };
      const version = toVersion(caller, { partial_id: row.id, number: 1, text, created_at: made }, version_description);
      const names = [slug, `${slug}@1`, `${slug}@latest`];
      const writing = store.write(async (transaction) => {
        if ((await countPartials(transaction, tenant)) >= mostPrompts)
          throw conflict(`This workspace has ${mostPrompts} partials.`, 'Delete those that nobody needs.');
        // Its names may be those of a partial that there is: then it is that, and not a circle, that is told.
        if ((await findPartial(transaction, tenant, slug)) === undefined)
          refuse(await inclusionProblems(transaction, tenant, { template, names, pointer: stringPointer }));
        await insertPartial(store, transaction, { row, version });
      });
      await writing.catch((error: unknown) => {
        if (!isConflict(error)) throw error;
        throw conflict(
          `This workspace has a partial "${slug}" already.`,
          'Choose another slug, or change that partial.',
        );
      });
      return { row, version };
    },

    list: ({ tenant }, part) => listPartials(store.db, tenant, part),

    async get({ tenant }, name) {
      const reference = partialReference(name);
      if (reference === undefined) throw unknown(name);
      const row = await found(store.db, tenant, reference.slug);
      return { row, version: await versionOf(store.db, row, reference.version) };
    },

    async update(caller, name, body) {
      const { tenant } = caller;
      const { string: text, version_description } = body;
      const template = text === undefined ? undefined : parsed(text);
      return store.write(async (writing) => {
        const before = await found(writing, tenant, name);
        const newest = await versionOf(writing, before, 'latest');
        const made = now();
        const row = { ...before, name: body.name ?? before.name, updated_at: made };
        if (text === undefined || template === undefined) {
          await changePartial(store, writing, { row });
          return { row, version: newest };
        }
        const number = newest.number + 1;
        if (number > mostVersions)
          throw conflict(`The partial "${row.slug}" has ${mostVersions} versions.`, 'Create another partial.');
        const names = [`${row.slug}@${number}`, `${row.slug}@latest`];
        refuse(await inclusionProblems(writing, tenant, { template, names, pointer: stringPointer }));
        const version = toVersion(caller, { partial_id: row.id, number, text, created_at: made }, version_description);
        await changePartial(store, writing, { row, version });
        return { row, version };
      });
    },

    remove: ({ tenant }, name) =>
      store.write(async (writing) => {
        const row = await found(writing, tenant, name);
        const uses = await usesOfPartial(writing, row);
        if (uses.length > 0)
          throw conflict(
            `The partial "${row.slug}" is named by ${uses.slice(0, 3).join(', ')}${uses.length > 3 ? ' and others' : ''}.`,
            'Take it out of their templates, and publish those, first.',
          );
        await deletePartial(store, writing, row);
      }),

    async versions({ tenant }, name, part) {
      const row = await found(store.db, tenant, name);
      return { ...(await listPartialVersions(store.db, row, part)), row };
    },

    publish: ({ tenant }, name, number) =>
      store.write(async (writing) => {
        const before = await found(writing, tenant, name);
        const version = await findPartialVersion(writing, before, number);
        const hint = 'GET /v1/prompts/partials/{id}/versions lists its versions.';
        if (version === undefined)
          throw invalidInput([problem(['version'], `The partial "${before.slug}" has no version ${number}.`, hint)]);
        const row = { ...before, published: number, updated_at: now() };
        const about = {
          template: parsed(version.text),
          names: [row.slug],
          pointer: childPointer(rootPointer, 'version'),
        };
        refuse(await inclusionProblems(writing, tenant, about));
        await changePartial(store, writing, { row });
        return { row, version };
      }),
  };
};
