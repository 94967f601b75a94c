import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { partialRoutes } from './partials/partial-routes.ts';
import { createPartialService } from './partials/partial-service.ts';
import { createPromptService } from './prompt-service.ts';
import { promptVersionRoutes } from './prompt-version-routes.ts';
import { createPromptFinder, type PromptsOf } from './rendering/prompts-of.ts';
import { runRoutes } from './rendering/run-routes.ts';
import { createIncludedPartials } from './store/included-partials.ts';
import { storedPromptRoutes } from './stored-prompt-routes.ts';
import type { PromptParts } from './versions/prompt-parts.ts';

/** Roughly the bytes that parsed partials take in memory. */
const partialBytes = 16 * 1024 * 1024;

/**
 * The routes of prompts, and of the partials that they include. `mergePrompts` is given where others use what it keeps.
 */
export const promptRoutes = (
  parts: PromptParts,
  findPrompts: PromptsOf = createPromptFinder(parts),
): readonly ControlRoute[] => {
  const included = createIncludedPartials(partialBytes);
  const prompts = createPromptService(parts, included);
  return [
    ...storedPromptRoutes(prompts),
    ...promptVersionRoutes(prompts),
    ...runRoutes(findPrompts),
    ...partialRoutes(createPartialService(parts, included)),
  ];
};
