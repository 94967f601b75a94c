/** `gatewright/compiler`: configs to plans, and plans to files, inside a program. */
export { buildCatalogue, type Catalogue, loadCatalogue } from '../plugins/sdk/catalogue.ts';
export type { Diagnostic, Severity, Span } from '../schema/diagnostic.ts';
export type { CompileResult, RoutingPlan } from '../schema/plan.ts';
export { nothingSaved, type Saved, type SavedProvider } from '../schema/saved.ts';
export { type CompileOptions, compile } from './compile.ts';
export { emitPlanJson } from './emit/emit-plan-json.ts';
export { emitPlanModule } from './emit/emit-plan-module.ts';
export { MissingTsMorphError } from './emit/load-ts-morph.ts';
export { type RenderOptions, renderDiagnostic } from './render/render.ts';
