import type { Guardrail } from '../../sdk/guardrail/guardrail.ts';
import { acuvityGuardrails } from './acuvity/acuvity-guardrails.ts';
import { aktoGuardrails } from './akto/akto-guardrails.ts';
import { alibabaGuardrails } from './alibaba-cloud/alibaba-guardrails.ts';
import { aporiaGuardrails } from './aporia/aporia-guardrails.ts';
import { azureGuardrails } from './azure/azure-guardrails.ts';
import { bedrockGuardrails } from './bedrock/bedrock-guardrails.ts';
import { catoGuardrails } from './cato/cato-guardrails.ts';
import { aidrGuardrails } from './crowdstrike-aidr/aidr-guardrails.ts';
import { exaGuardrails } from './exa/exa-guardrails.ts';
import { f5Guardrails } from './f5-guardrails/f5-guardrails.ts';
import { javelinGuardrails } from './javelin/javelin-guardrails.ts';
import { lakeraGuardrails } from './lakera/lakera-guardrails.ts';
import { lassoGuardrails } from './lasso/lasso-guardrails.ts';
import { mistralGuardrails } from './mistral/mistral-guardrails.ts';
import { pangeaGuardrails } from './pangea/pangea-guardrails.ts';
import { panwGuardrails } from './panw-prisma-airs/panw-guardrails.ts';
import { patronusGuardrails } from './patronus/patronus-guardrails.ts';
import { pillarGuardrails } from './pillar/pillar-guardrails.ts';
import { promptfooGuardrails } from './promptfoo/promptfoo-guardrails.ts';
import { promptsecurityGuardrails } from './promptsecurity/promptsecurity-guardrails.ts';
import { qualifireGuardrails } from './qualifire/qualifire-guardrails.ts';
import { sydelabsGuardrails } from './sydelabs/sydelabs-guardrails.ts';
import { tavilyGuardrails } from './tavily/tavily-guardrails.ts';
import { walledaiGuardrails } from './walledai/walledai-guardrails.ts';
import { zscalerGuardrails } from './zscaler/zscaler-guardrails.ts';

/** The checks of partners, sorted by id. Their code is loaded when a plan that names one of them is linked. */
export const partnerGuardrails: readonly Guardrail[] = [
  ...acuvityGuardrails,
  ...aktoGuardrails,
  ...alibabaGuardrails,
  ...aporiaGuardrails,
  ...azureGuardrails,
  ...bedrockGuardrails,
  ...catoGuardrails,
  ...aidrGuardrails,
  ...exaGuardrails,
  ...f5Guardrails,
  ...javelinGuardrails,
  ...lakeraGuardrails,
  ...lassoGuardrails,
  ...mistralGuardrails,
  ...pangeaGuardrails,
  ...panwGuardrails,
  ...patronusGuardrails,
  ...pillarGuardrails,
  ...promptfooGuardrails,
  ...promptsecurityGuardrails,
  ...qualifireGuardrails,
  ...sydelabsGuardrails,
  ...tavilyGuardrails,
  ...walledaiGuardrails,
  ...zscalerGuardrails,
];
