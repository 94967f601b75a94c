/** `gatewright/compiler`: compiles configs to plans and plans to files, inside a program. */
export { buildCatalogue, type Catalogue, loadCatalogue } from '../plugins/sdk/plugin/catalogue.ts';
export { describeModels } from '../plugins/sdk/plugin/describe-models.ts';
export type { DeclaredLabel, DeclaredLabels } from '../schema/config/declared-labels.ts';
export { nothingSaved, type Saved, type SavedProvider } from '../schema/config/saved.ts';
export type { Diagnostic, Severity, Span } from '../schema/errors/diagnostic.ts';
export type { StatedFacts } from '../schema/model-facts/model-facts.ts';
export type { CompileResult, RoutingPlan } from '../schema/plan/plan.ts';
export { type CompileOptions, compile } from './compile.ts';
export { type RenderOptions, renderDiagnostic } from './diagnostic-text/render.ts';
export { emitPlanJson } from './emit/emit-plan-json.ts';
export { emitPlanModule } from './emit/emit-plan-module.ts';
export { MissingTsMorphError } from './emit/load-ts-morph.ts';
export type { CatalogueData } from './plugin-catalogue/catalogue-data.ts';
export { describeCatalogue } from './plugin-catalogue/describe-catalogue.ts';
