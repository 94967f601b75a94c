import { acuvityStub } from './acuvity-stub.ts';
import { aidrStub } from './aidr-stub.ts';
import { aktoStub } from './akto-stub.ts';
import { alibabaStub } from './alibaba-stub.ts';
import { aporiaStub } from './aporia-stub.ts';
import { azureStub } from './azure-stub.ts';
import { bedrockStub } from './bedrock-stub.ts';
import { catoStub } from './cato-stub.ts';
import { exaStub } from './exa-stub.ts';
import { f5Stub } from './f5-stub.ts';
import { javelinStub } from './javelin-stub.ts';
import { lakeraStub } from './lakera-stub.ts';
import { lassoStub } from './lasso-stub.ts';
import { mistralStub } from './mistral-stub.ts';
import { pangeaStub } from './pangea-stub.ts';
import { panwStub } from './panw-stub.ts';
import type { PartnerStub } from './partner-stub.ts';
import { patronusStub } from './patronus-stub.ts';
import { pillarStub } from './pillar-stub.ts';
import { promptfooStub } from './promptfoo-stub.ts';
import { promptsecurityStub } from './promptsecurity-stub.ts';
import { qualifireStub } from './qualifire-stub.ts';
import { sydelabsStub } from './sydelabs-stub.ts';
import { tavilyStub } from './tavily-stub.ts';
import { walledaiStub } from './walledai-stub.ts';
import { zscalerStub } from './zscaler-stub.ts';

/** Every partner with built-in checks. */
export const partnerStubs: readonly PartnerStub[] = [
  acuvityStub,
  aktoStub,
  alibabaStub,
  aporiaStub,
  azureStub,
  bedrockStub,
  catoStub,
  aidrStub,
  exaStub,
  f5Stub,
  javelinStub,
  lakeraStub,
  lassoStub,
  mistralStub,
  pangeaStub,
  panwStub,
  patronusStub,
  pillarStub,
  promptfooStub,
  promptsecurityStub,
  qualifireStub,
  sydelabsStub,
  tavilyStub,
  walledaiStub,
  zscalerStub,
];
