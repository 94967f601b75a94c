/** `gatewright/editor`: answers an editor's questions about configs, without any input or output, in Node and in browsers. */
export { nothingSaved, type Saved } from '../../schema/config/saved.ts';
export type { Diagnostic, Severity, Span } from '../../schema/errors/diagnostic.ts';
export type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
export type { CatalogueData } from '../plugin-catalogue/catalogue-data.ts';
export type { Completion, Hover } from './complete.ts';
export {
  createEditor,
  type Editor,
  type EditorFindings,
  type EditorOptions,
  type EditorReference,
  type Renaming,
} from './editor.ts';
export type { Piece } from './editor-place.ts';
export type { QuickFix } from './quick-fixes.ts';
export { applyChanges, type TextChange } from './text-change.ts';
