import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import type { PromptKind } from '../../../schema/config/saved.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { readableBody } from '../call/readable-body.ts';

interface PromptForm extends Pick<Route, 'operation' | 'dialect'> {
  /** A sentence that names the prompt and the place that refers to it. */
  readonly words: string;
  readonly path: string;
}

const forms: { readonly [Kind in PromptKind]: PromptForm } = {
  chat: { operation: 'converse', dialect: 'chat', words: 'chat completions', path: '/v1/chat/completions' },
  text: { operation: 'complete', dialect: 'completions', words: 'completions', path: '/v1/completions' },
};

/** Replaces a client's body with what its leaf sends. */
export type EnterLeaf = (call: LeafCall) => void;

const label = (call: LeafCall, prompt: string | undefined): void => {
  call.prompt = prompt;
  const { labels } = call.exchange;
  if (labels !== undefined) labels.prompt = prompt;
};

/** In a plan with a prompt, the other targets send the client's body without the prompt's variables. */
const withoutVariables: EnterLeaf = (call) => {
  label(call, undefined);
  const body = readableBody(call.exchange);
  if (body?.variables === undefined) return;
  const { variables: _variables, ...rest } = body;
  call.replace(keepSources(rest, body));
};

/**
 * Resolves the prompt of a leaf when it is entered, in a plan with stored prompts. Undefined in any other plan. A leaf with a
 * prompt sends it in place of the client's body, so that its checks, its cache and its attempts see what is sent. Throws the
 * `GatewayError`s `prompt-of-another-kind`, `unrendered-prompt` and `malformed-body`.
 */
export const leafPrompt = (
  { needs }: LeafNode,
  target: Target,
  { prompts }: Pick<LinkContext, 'prompts'>,
): EnterLeaf | undefined => {
  const named = target.prompt;
  if (named === undefined)
    return needs.because.some(({ setting }) => setting === 'prompt_id') ? withoutVariables : undefined;
  const prompt = prompts.get(named.reference);
  // A plan whose prompts are missing is refused before it is linked.
  if (prompt === undefined) throw new RangeError(`There is no prompt "${named.reference}".`);
  const { operation, dialect, words, path } = forms[prompt.kind];
  return (call) => {
    const { exchange } = call;
    const { route } = exchange;
    label(call, undefined);
    if (route.operation !== operation || route.dialect !== dialect)
      throw gatewayError('prompt-of-another-kind', { prompt: named.reference, kind: words, path });
    const body = exchange.json();
    call.replace(keepSources(prompt.fill(body), body));
    label(call, prompt.slug);
  };
};
