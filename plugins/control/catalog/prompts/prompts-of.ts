import { LRUCache } from 'lru-cache';
import type { PromptKind } from '../../../../schema/config/saved.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { StoredPrompt } from '../../../sdk/control-plane/stored-prompt.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createIncludedPartials } from './included-partials.ts';
import {
  areMessages,
  hyperparametersError,
  type ParsedPrompt,
  type PromptText,
  parsePrompt,
  promptKind,
  promptTemplates,
} from './parse-prompt.ts';
import { findVersionHead, promptReference, promptStore, readVersion } from './prompt-store.ts';
import { Renderer, type RenderOptions, renderJson, renderRaw } from './templates/render-template.ts';
import { TemplateError, templateBytes, versionBytes } from './templates/template.ts';

const pointer = childPointer(rootPointer, 'variables');

const notAnObject: InputProblem = {
  pointer,
  message: 'The variables must be an object.',
  hint: 'Send {"variables": {"name": "value"}}.',
};

/** Converts a `TemplateError` to the problem that a prompt cannot be rendered. Rethrows all other errors. */
export const templateError = (error: unknown): InputProblem => {
  if (!(error instanceof TemplateError)) throw error;
  return { pointer, message: error.message, hint: 'Change the variables, or the template.' };
};

/**
 * Renders a prompt for a request body, whose `variables` are optional. The other members of the body are parameters that override
 * the prompt's. Throws the error that `toError` creates from a problem of the body. `missing` is called as for templates.
 */
export const renderForBody = (
  prompt: Pick<FoundPrompt, 'render'>,
  { variables = {}, ...overrides }: JsonObject,
  toError: (error: InputProblem) => Error,
  missing?: RenderOptions['missing'],
): JsonObject => {
  if (!isJsonObject(variables)) throw toError(notAnObject);
  const nested = hyperparametersError(overrides);
  if (nested !== undefined) throw toError(nested);
  try {
    return prompt.render(variables, overrides, missing);
  } catch (error) {
    throw toError(templateError(error));
  }
};

/** Converts a prompt to the form in which the data path sends it. `reference` is the name used in a config. */
export const toStoredPrompt = (reference: string, prompt: FoundPrompt): StoredPrompt => {
  const { slug, versionId, virtualKey, kind, bytes } = prompt;
  return {
    ...{ slug, versionId, virtualKey, kind, bytes },
    fill(body) {
      // The prompt replaces this member.
      const { [kind === 'chat' ? 'messages' : 'prompt']: _replaced, ...rest } = body;
      return renderForBody(prompt, rest, ({ pointer: at, message: reason, hint: suggestion }) =>
        gatewayError('unrendered-prompt', { prompt: reference, pointer: at, reason, suggestion }),
      );
    },
  };
};

interface RenderPromptOptions extends RenderOptions {
  /** The parameters of the request, which override the prompt's own. */
  readonly overrides?: JsonObject;
}

const renderText = (text: PromptText, variables: JsonObject, options: RenderOptions): JsonObject => {
  if (text.kind === 'text') return { prompt: new Renderer(variables, options).render(text.template) };
  const messages =
    text.kind === 'raw' ? renderRaw(text.template, variables, options) : renderJson(text.template, variables, options);
  if (!areMessages(messages))
    throw new TemplateError('The rendered text must be a JSON list of messages, which are objects with a "role".');
  return { messages };
};

/** The members of a prompt's content that a request has among its parameters. */
const ownNames = ['model', 'functions', 'tools', 'tool_choice'] as const;

/**
 * Renders a prompt to the `data` of the render response: the messages (or the `prompt` of a completion) and the stored
 * parameters, which the request can override. Throws a `TemplateError` if the prompt cannot be rendered.
 */
export const renderPrompt = (
  { content, text }: ParsedPrompt,
  variables: JsonObject,
  { overrides = {}, ...options }: RenderPromptOptions,
): JsonObject => {
  const own = ownNames
    .filter((name) => content[name] !== undefined)
    .map((name) => [name, content[name] as Json] as const);
  return { ...renderText(text, variables, options), ...content.parameters, ...Object.fromEntries(own), ...overrides };
};

/** A version of a prompt with everything that it includes, ready to be rendered. */
export interface FoundPrompt {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly versionId: string;
  /** The saved virtual key, or `@slug` of the saved provider, that the prompt is sent to. */
  readonly virtualKey: string;
  /** `chat` if it is rendered to messages, `text` if it is rendered to the prompt of a completion. */
  readonly kind: PromptKind;
  /** The approximate size in memory, in bytes, including what it includes. */
  readonly bytes: number;
  /**
   * Renders the prompt to the parameters of a chat completion, or of a completion, without reading from the store. Throws a
   * `TemplateError` if it cannot be rendered with these variables. `missing` is called as for templates.
   */
  render(variables: JsonObject, overrides?: JsonObject, missing?: RenderOptions['missing']): JsonObject;
}

/** The prompts of one workspace. */
interface TenantPrompts {
  /**
   * Returns the version that `id`, `slug`, or one of them with `@12`, `@latest`, `@published` or `@<label>` names; undefined if
   * none exists. Rejects with a `TemplateError` if it includes too many partials.
   */
  find(reference: string): Promise<FoundPrompt | undefined>;
}

/** Finds the prompts of workspaces. Parsed versions are cached by their ids. */
export type PromptsOf = (tenant: TenantId) => TenantPrompts;

/** The approximate size of the caches of parsed prompts and of parsed partials, in bytes. */
const defaultBytes = 32 * 1024 * 1024;

export const createPromptFinder = ({
  store: { db },
  maxBytes = defaultBytes,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly maxBytes?: number;
}): PromptsOf => {
  const known = new LRUCache<string, ParsedPrompt>({ maxSize: maxBytes });
  const includedIn = createIncludedPartials(maxBytes);

  const load = async (tenant: TenantId, versionId: string): Promise<ParsedPrompt | undefined> => {
    const before = known.get(versionId);
    if (before !== undefined) return before;
    const stored = await readVersion(db, tenant, versionId);
    if (stored === undefined) return undefined;
    const { prompt, problems } = parsePrompt(stored.content);
    // Only versions that can be parsed are stored.
    if (prompt === undefined) throw new Error(problems.map(({ message }) => message).join(' '));
    known.set(versionId, prompt, { size: versionBytes(stored.text, promptTemplates(prompt)) });
    return prompt;
  };

  return (tenant) => ({
    async find(text) {
      const reference = promptReference(text);
      const row = reference && (await promptStore.find(db, tenant, reference.name));
      const head = row && (await findVersionHead(db, row, reference.version));
      const prompt = head && (await load(tenant, head.id));
      if (row === undefined || head === undefined || prompt === undefined) return undefined;
      const partials = await includedIn(db, tenant, { templates: promptTemplates(prompt) });
      return {
        id: row.id,
        slug: row.slug,
        version: head.number,
        versionId: head.id,
        virtualKey: prompt.content.virtual_key,
        bytes: templateBytes([...promptTemplates(prompt), ...partials.values()]),
        kind: promptKind(prompt),
        render: (variables, overrides = {}, missing = undefined) =>
          renderPrompt(prompt, variables, {
            ...{ overrides, partial: (name) => partials.get(name) },
            ...(missing !== undefined && { missing }),
          }),
      };
    },
  });
};
