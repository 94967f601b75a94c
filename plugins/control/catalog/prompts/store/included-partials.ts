import type { Reading } from '../../../kernel/records/records.ts';
import { maxIncluded, maxIncludedBytes } from '../content/limits.ts';
import { findPartials } from '../templates/find-partials.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import type { PartialReference, Template } from '../templates/template.ts';
import { TemplateError } from '../templates/template-error.ts';
import { findIncluded, readPartialTexts } from './partial-store.ts';
import { createVersionCache } from './version-cache.ts';

/** Partials by their names as written, such as `rules@5`. */
export type IncludedPartials = ReadonlyMap<string, Template>;

/**
 * Finds what templates include, and what that includes. `others` are found in place of what the store has of their names.
 * Rejects with a `TemplateError` if it is too much.
 */
export type FindIncludedPartials = (
  db: Reading,
  tenant: string,
  { templates, others }: { readonly templates: readonly Template[]; readonly others?: IncludedPartials },
) => Promise<IncludedPartials>;

const tooMany = (): TemplateError =>
  new TemplateError(
    `It includes more than ${maxIncluded} partials, or more than ${maxIncludedBytes / 1024 / 1024} MiB of them.`,
  );

interface ParsedPartial {
  readonly template: Template;
  readonly length: number;
}

/** Only what parses is stored. */
const parsed = (text: string): Template => {
  const { template, problems } = parseTemplate(text);
  if (template === undefined) throw new Error(problems.map(({ message }) => message).join(' '));
  return template;
};

/** Keeps partials of roughly `maxBytes` in memory, parsed. */
export const createIncludedPartials = (maxBytes: number): FindIncludedPartials => {
  const kept = createVersionCache<ParsedPartial>(maxBytes);

  const load = async (db: Reading, tenant: string, wanted: Iterable<string>) => {
    const loaded = new Map<string, ParsedPartial>();
    const missing: string[] = [];
    for (const id of new Set(wanted)) {
      const partial = kept.get(id);
      if (partial === undefined) missing.push(id);
      else loaded.set(id, partial);
    }
    for (const { id, text } of await readPartialTexts(db, tenant, missing)) {
      const partial = { template: parsed(text), length: text.length };
      kept.set(id, partial, { text, templates: [partial.template] });
      loaded.set(id, partial);
    }
    return loaded;
  };

  return async (db, tenant, { templates, others = new Map() }) => {
    const found = new Map<string, Template>();
    const seen = new Map<string, PartialReference>();
    let length = 0;
    const include = (name: string, template: Template): readonly Template[] => {
      found.set(name, template);
      return [template];
    };
    for (let next: readonly Template[] = templates; next.length > 0; ) {
      const named = next.flatMap(findPartials).filter(({ name }) => !seen.has(name));
      for (const reference of named) seen.set(reference.name, reference);
      if (seen.size > maxIncluded) throw tooMany();
      const references = [...new Map(named.map((reference) => [reference.name, reference])).values()];
      const ids = await findIncluded(
        db,
        tenant,
        references.filter(({ name }) => !others.has(name)),
      );
      const loaded = await load(db, tenant, ids.values());
      next = references.flatMap(({ name }) => {
        const other = others.get(name);
        if (other !== undefined) return include(name, other);
        const partial = loaded.get(ids.get(name) ?? '');
        if (partial === undefined) return [];
        length += partial.length;
        if (length > maxIncludedBytes) throw tooMany();
        return include(name, partial.template);
      });
    }
    return found;
  };
};
