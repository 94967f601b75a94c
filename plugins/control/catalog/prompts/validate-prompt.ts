import type { Saved } from '../../../../schema/config/saved.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { type JsonPointer, rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { findRecord } from '../../kernel/resource/resource-queries.ts';
import type { PromptRow } from '../../kernel/store/tables.ts';
import { missingProviders } from '../destinations/missing-providers.ts';
import { collections } from './collections.ts';
import type { FindIncludedPartials, IncludedPartials } from './included-partials.ts';
import {
  type ParsedPrompt,
  type PromptTemplate,
  parsePrompt,
  placedTemplates,
  promptTemplates,
} from './parse-prompt.ts';
import { type PromptContent, toStoredVersion } from './prompt-content.ts';
import { type PromptVersionHead, promptStore, readVersion } from './prompt-store.ts';
import { findPartials, type Position, type Template, TemplateError } from './templates/template.ts';

/** The place of the template in request bodies. */
export const stringPointer: JsonPointer = toPointer(['string']);

/** Describes the place of a mistake in the string, or in a string of its messages. */
const placeText = ({ line, column }: Position, place: JsonPointer | undefined): string =>
  `at line ${line}, column ${column}${place === undefined ? '' : ` of ${place} in the messages`}`;

/** Converts a mistake in a template to a problem of the request. */
export const templateProblem = ({ place, line, column, pointer, message, hint }: InputProblem): InputProblem =>
  line === undefined || column === undefined
    ? { pointer, message, hint }
    : {
        pointer,
        message: `${message.replace(/\.$/, '')} (${placeText({ line, column }, place)}).`,
        hint,
        line,
        column,
        ...(place === undefined ? {} : { place }),
      };

/** The maximum size of a version as JSON, in bytes. */
const maxVersionBytes = 256 * 1024;

/** Reports a version that is too large. */
export const sizeProblems = (text: string, pointer: JsonPointer = rootPointer): readonly InputProblem[] => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxVersionBytes) return [];
  return [
    {
      pointer,
      message: `A version has at most ${maxVersionBytes} bytes, and this one has ${bytes}.`,
      hint: 'Put what is long into partials, or into the values of variables.',
    },
  ];
};

/** Members that a rendered prompt gets from its template, or that a request has in addition to its parameters. */
const noParameters = ['messages', 'prompt', 'variables'] as const;

const parameterProblems = (parameters: JsonObject): readonly InputProblem[] =>
  noParameters
    .filter((name) => Object.hasOwn(parameters, name))
    .map((name) =>
      problem(['parameters', name], `"${name}" is not a parameter.`, 'Leave it out: "string" is the template.'),
    );

/** Reports the virtual key or provider of a prompt if it is not saved. */
const destinationProblems = ({ virtual_key: name }: PromptContent, saved: Saved): readonly InputProblem[] => {
  const providerSlug = savedSlug(name);
  const isProvider = providerSlug !== undefined;
  const slug = providerSlug ?? name;
  if (Object.hasOwn(isProvider ? saved.providers : saved.virtualKeys, slug)) return [];
  const what = isProvider ? 'saved provider' : 'virtual key';
  const unusable = lookUp(saved.unusable ?? {}, slug);
  if (unusable !== undefined)
    return [
      problem(
        ['virtual_key'],
        `The ${unusable.what} "${slug}" ${unusable.why}.`,
        `Name another one, or ${unusable.remedy}.`,
      ),
    ];
  const hint =
    !isProvider && Object.hasOwn(saved.providers, slug)
      ? `Write "@${slug}" for the saved provider of that name.`
      : 'Write the slug of a virtual key, or "@" and the slug of a saved provider.';
  return [problem(['virtual_key'], `There is no ${what} "${slug.slice(0, 255)}".`, hint)];
};

/** The content of a version, and its own problems. */
export interface ValidatedPrompt {
  /** The text as it is stored. */
  readonly text: string;
  /** Absent if the templates cannot be parsed. */
  readonly prompt?: ParsedPrompt;
  readonly problems: readonly InputProblem[];
}

/** Validates the content of a version. With `saved`, also checks that its destination is saved. */
export const validatePrompt = (content: PromptContent, saved: Saved | undefined): ValidatedPrompt => {
  const { prompt, problems = [] } = parsePrompt(content);
  const templates = prompt === undefined ? [] : promptTemplates(prompt);
  return {
    text: toStoredVersion(
      content,
      templates.flatMap(findPartials).map(({ slug }) => slug),
    ),
    ...(prompt === undefined ? {} : { prompt }),
    problems: [
      ...problems.map(templateProblem),
      ...parameterProblems(content.parameters),
      ...sizeProblems(JSON.stringify(content)),
      ...(saved === undefined ? [] : destinationProblems(content, saved)),
    ],
  };
};

/** Returns the partials that templates name but that do not exist. */
const missingPartials = (
  templates: readonly PromptTemplate[],
  included: IncludedPartials,
  pointer: JsonPointer,
): readonly InputProblem[] =>
  templates.flatMap(({ place, template }) =>
    findPartials(template)
      .filter(({ name }) => !included.has(name))
      .map(({ name, line, column }) =>
        templateProblem({
          pointer,
          message: `There is no partial "${name}".`,
          hint: 'GET /v1/prompts/partials lists the partials, and GET /v1/prompts/partials/{id}/versions their versions.',
          ...{ line, column },
          ...(place === undefined ? {} : { place }),
        }),
      ),
  );

/**
 * Searches for a circle of partials that include each other, starting from the one that is about to be saved. Returns the circle
 * as a sentence. `load` is called once for each name.
 */
export const partialCycle = (start: string, load: (name: string) => Template | undefined): string | undefined => {
  const done = new Set<string>();
  const search = (name: string, outer: readonly string[]): string | undefined => {
    if (outer.includes(name)) {
      const [first, ...others] = [...outer.slice(outer.indexOf(name)), name].map((each) => `"${each}"`);
      return `The partial ${first} includes ${others.join(', which includes ')}.`;
    }
    if (done.has(name)) return undefined;
    for (const inner of findPartials(load(name) ?? { nodes: [] })) {
      const cycle = search(inner.name, [...outer, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  return search(start, []);
};

/** Reports problems with what templates include: partials that do not exist, too many partials, or a circle of them. */
export const inclusionProblems = async (
  db: Reading,
  tenant: string,
  {
    templates,
    included,
    pointer = stringPointer,
    names = [],
  }: {
    readonly templates: readonly PromptTemplate[];
    readonly included: FindIncludedPartials;
    /** The place of the problems in the body; that of "string" if absent. */
    readonly pointer?: JsonPointer;
    /** The references that name the first template, if it belongs to a partial. */
    readonly names?: readonly string[];
  },
): Promise<readonly InputProblem[]> => {
  const texts = templates.map(({ template }) => template);
  const others = new Map(names.flatMap((name) => texts.slice(0, 1).map((template) => [name, template])));
  try {
    const known = await included(db, tenant, { templates: texts, others });
    const message = names[0] && partialCycle(names[0], (name) => others.get(name) ?? known.get(name));
    return [
      ...missingPartials(templates, known, pointer),
      ...(message ? [{ pointer, message, hint: 'Remove one of these tags.' }] : []),
    ];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [{ pointer, message: error.message, hint: 'Write some of the texts where they are needed.' }];
  }
};

/** The references of a prompt to partials, if its templates can be parsed, and to a collection. */
export interface PromptReferences {
  readonly prompt: ParsedPrompt | undefined;
  readonly collection: string | null | undefined;
}

/** Reports problems with what a version refers to. */
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
 * Reports the virtual key or provider of a version if it was deleted since. Deletion is allowed while no version in use names it.
 */
const goneDestination = async (
  db: Reading,
  { workspace_id: tenant }: PromptRow,
  { name, overlay }: { readonly name: string; readonly overlay: ControlParts['overlay'] },
): Promise<readonly InputProblem[]> => {
  const gone = await missingProviders(db, { tenant, overlay, names: [name.replace(/^@/, '')] });
  const hint = 'Save it again, or create a version that is sent elsewhere.';
  return gone.map((slug) =>
    problem(['version'], `This version is sent to "${slug.slice(0, 255)}", which is not saved any more.`, hint),
  );
};

/**
 * Returns a version that is about to be served. Everything that it includes must exist, and so must its destination. Rejects with
 * the `GatewayError` `invalid-input`.
 */
export const servableVersion = async (
  db: Reading,
  row: PromptRow,
  {
    number,
    included,
    overlay,
  }: {
    readonly number: number;
    readonly included: FindIncludedPartials;
    readonly overlay: ControlParts['overlay'];
  },
): Promise<PromptVersionHead> => {
  const version = await promptStore.findNamedVersion(db, row, number);
  const stored = await readVersion(db, row.workspace_id, version.id);
  const { prompt } = stored === undefined ? {} : parsePrompt(stored.content);
  const templates = prompt === undefined ? [] : placedTemplates(prompt);
  refuse([
    ...(await inclusionProblems(db, row.workspace_id, { templates, included, pointer: toPointer(['version']) })),
    ...(stored === undefined ? [] : await goneDestination(db, row, { name: stored.content.virtual_key, overlay })),
  ]);
  return version;
};
