import type {
  CatalogueData,
  Completion,
  EditorFindings,
  Hover,
  Piece,
  QuickFix,
  Saved,
} from '../../../../../compiler/editor/api.ts';

/** The response of `GET /config-facts`: everything the compiler needs to know about the gateway and the workspace. */
export interface ConfigFacts {
  readonly catalogue: CatalogueData;
  readonly saved: Saved;
}

/** The answers of the compiler about a text, by the kind of question. */
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

/** A message to the worker. The first contains the facts, each later one a question. */
export type ToCompiler =
  | { readonly facts: ConfigFacts }
  | { readonly id: number; readonly text: string; readonly question: CompilerQuestion };

/** The answer to the question with the same id. */
export type FromCompiler = { readonly id: number } & ({ readonly answer: unknown } | { readonly failed: string });
