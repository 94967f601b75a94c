import type {
  CatalogueData,
  Completion,
  EditorFindings,
  Hover,
  Piece,
  QuickFix,
  Saved,
} from '../../../../../compiler/editor/api.ts';

/** The answer of `GET /config-facts`: all that the compiler needs to know of the gateway and the workspace. */
export interface ConfigFacts {
  readonly catalogue: CatalogueData;
  readonly saved: Saved;
}

/** The questions that a page asks the compiler about a text. */
export interface CompilerAnswers {
  readonly findings: EditorFindings;
  readonly completions: readonly Completion[];
  readonly hover: Hover | undefined;
  readonly fixes: readonly QuickFix[];
}

export type CompilerQuestion =
  | { readonly about: 'findings' }
  | { readonly about: 'completions'; readonly offset: number }
  | { readonly about: 'hover'; readonly offset: number }
  | { readonly about: 'fixes'; readonly range: Piece };

/** A message to the worker: the first has the facts, each other one a question. */
export type ToCompiler =
  | { readonly facts: ConfigFacts }
  | { readonly id: number; readonly text: string; readonly question: CompilerQuestion };

/** The answer to the question with the same id. */
export type FromCompiler = { readonly id: number } & ({ readonly answer: unknown } | { readonly failed: string });
