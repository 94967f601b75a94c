import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { refuseOtherValues } from '../../kernel/records/fixed-members.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import { newSlug } from '../../kernel/records/new-slug.ts';
import { laterThan, type PageResult, type Reading } from '../../kernel/records/records.ts';
import { refuseChanged } from '../../kernel/requests/precondition.ts';
import type { Problem } from '../../kernel/requests/problem.ts';
import { refuse, refuseUses } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { PartialRow, PartialVersionRow } from '../../kernel/store/tables.ts';
import { type FindIncludedPartials, usesOfPartial } from './included-partials.ts';
import { newVersion, type PartialVersionHead, partialStore } from './prompt-store.ts';
import { parseTemplate } from './templates/parse-template.ts';
import { partialReference, type Template } from './templates/template.ts';
import { inclusionProblems, sizeProblems, stringPointer, templateProblem } from './validate-prompt.ts';
import type { VersionedService } from './versioned-routes.ts';

interface NewPartialBody {
  readonly name: string;
  readonly string: string;
  readonly slug?: string;
  readonly version_description?: string;
}

/** The operations on the partials of a workspace. A partial cannot be deleted while something in use names it. */
export type PartialService = VersionedService<
  NewPartialBody,
  Partial<NewPartialBody>,
  PartialRow,
  { readonly row: PartialRow; readonly version: PartialVersionRow },
  PageResult<PartialVersionHead> & { readonly row: PartialRow }
>;

/** Parses the template of a partial; `others` are errors of its body that are reported with those of the template. Throws the `GatewayError` `invalid-input`. */
const parsedPartial = (text: string, others: readonly Problem[] = []): Template => {
  const { template = { nodes: [] }, problems = [] } = parseTemplate(text);
  refuse([
    ...others,
    ...problems.map((each) => templateProblem({ ...each, pointer: stringPointer })),
    ...sizeProblems(text, stringPointer),
  ]);
  return template;
};

export const createPartialService = (
  { store, now }: Pick<ControlParts, 'store' | 'now'>,
  included: FindIncludedPartials,
): PartialService => {
  /** Refuses a template with invalid inclusions; `names` are the references that name the template itself. */
  const refuseInclusion = async (
    db: Reading,
    tenant: string,
    { template, ...about }: { template: Template; names: readonly string[]; pointer?: JsonPointer },
  ): Promise<void> => refuse(await inclusionProblems(db, tenant, { ...about, templates: [{ template }], included }));

  return {
    async create(caller, { name, slug = newSlug(name), string: text, version_description: description }) {
      const { tenant } = caller;
      const template = parsedPartial(text, newNameErrors({ name }));
      const createdAt = now();
      const row: PartialRow = {
        ...{ id: newId(createdAt), workspace_id: tenant, slug, name },
        ...{ published: 1, created_at: createdAt, updated_at: createdAt },
      };
      const version = { ...newVersion(caller, { createdAt, description }), partial_id: row.id, number: 1, text };
      await partialStore.create(store, { row, version }, async (writing) => {
        // If a partial with this slug exists, that error is reported rather than a circle.
        if ((await partialStore.find(writing, tenant, slug)) === undefined)
          await refuseInclusion(writing, tenant, { template, names: [slug, `${slug}@1`, `${slug}@latest`] });
        return true;
      });
      return { row, versionId: version.id };
    },

    async update(caller, name, { name: called, slug, string: text, version_description: description }, precondition) {
      const { tenant } = caller;
      const template = text === undefined ? undefined : parsedPartial(text);
      return store.write(async (writing) => {
        const before = await partialStore.get(writing, tenant, name);
        refuseChanged(before, { precondition, what: 'partial', name });
        refuse(newNameErrors({ name: called }, before));
        refuseOtherValues('partial', before, { slug });
        const newest = await partialStore.getVersion(writing, before, 'latest');
        const createdAt = now();
        const row = { ...before, name: called ?? before.name, updated_at: laterThan(before, createdAt) };
        if (text === undefined || template === undefined) {
          await partialStore.change(store, writing, { row });
          return { row, versionId: newest.id };
        }
        const number = partialStore.nextNumber(row, newest.number);
        await refuseInclusion(writing, tenant, { template, names: [`${row.slug}@${number}`, `${row.slug}@latest`] });
        const version = { ...newVersion(caller, { createdAt, description }), partial_id: row.id, number, text };
        await partialStore.change(store, writing, { row, version });
        return { row, versionId: version.id };
      });
    },

    list: ({ tenant }, page) => partialStore.list(store, { workspace_id: tenant }, page),

    async get({ tenant }, name) {
      const { slug = name, version: wanted = 'published' } = partialReference(name) ?? {};
      const row = await partialStore.get(store.db, tenant, slug);
      return { row, version: await partialStore.getVersion(store.db, row, wanted) };
    },

    remove: ({ tenant }, name, precondition) =>
      store.write(async (writing) => {
        const row = await partialStore.get(writing, tenant, name);
        refuseChanged(row, { precondition, what: 'partial', name });
        refuseUses(
          await usesOfPartial(writing, row),
          `The partial "${row.slug}" is named by`,
          'Remove it from their templates, and publish those, first.',
        );
        await partialStore.remove(store, writing, row);
      }),

    async versions({ tenant }, name, page) {
      const row = await partialStore.get(store.db, tenant, name);
      return { ...(await partialStore.listVersions(store.db, row, page)), row };
    },

    publish: ({ tenant }, name, number, precondition) =>
      store.write(async (writing) => {
        const before = await partialStore.get(writing, tenant, name);
        refuseChanged(before, { precondition, what: 'partial', name });
        const version = await partialStore.findNamedVersion(writing, before, number);
        const row = { ...before, published: number, updated_at: laterThan(before, now()) };
        const template = parsedPartial(version.text);
        await refuseInclusion(writing, tenant, { template, names: [row.slug], pointer: toPointer(['version']) });
        await partialStore.change(store, writing, { row });
        return { row, versionId: version.id };
      }),
  };
};
