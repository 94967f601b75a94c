/** The form of a vendor's keys. */
interface KeyShape {
  readonly vendor: string;
  /** The prefixes of such keys, which are quick to search for. */
  readonly begins: readonly string[];
  /** Matches the whole key, from its beginning. Its repetitions are bounded. */
  readonly shape: RegExp;
}

const row = (vendor: string, begins: string, shape: RegExp): KeyShape => ({ vendor, begins: begins.split(' '), shape });

/** Providers of language models. */
const models: readonly KeyShape[] = [
  row(
    'OpenAI',
    'sk-',
    /sk-(?:(?:proj|svcacct|admin)-[\w-]{20,100}T3BlbkFJ[\w-]{20,100}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})/,
  ),
  row('Anthropic', 'sk-ant-', /sk-ant-(?:api|admin|oat|sid)\d{2}-[\w-]{80,120}/),
  row('OpenRouter', 'sk-or-v1-', /sk-or-v1-[a-f0-9]{64}/),
  row('DeepSeek', 'sk-', /sk-[a-f0-9]{32}/),
  row('Google', 'AIza', /AIza[\w-]{35}/),
  row('Groq', 'gsk_', /gsk_[A-Za-z0-9]{52}/),
  row('xAI', 'xai-', /xai-[A-Za-z0-9]{80}/),
  row('Perplexity', 'pplx-', /pplx-[A-Za-z0-9]{48}/),
  row('Hugging Face', 'hf_ api_org_', /(?:hf|api_org)_[A-Za-z]{34}/),
  row('Replicate', 'r8_', /r8_[A-Za-z0-9]{37}/),
  row('LangSmith', 'lsv2_', /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/),
];

/** Clouds and their infrastructure. */
const clouds: readonly KeyShape[] = [
  row('AWS', 'AKIA ASIA ABIA ACCA', /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}/),
  row('Amazon Bedrock', 'ABSK', /ABSK[A-Za-z0-9+/]{109,269}={0,2}/),
  row('Google OAuth', 'ya29. GOCSPX-', /ya29\.[\w-]{20,500}|GOCSPX-[\w-]{28}/),
  row('Azure Storage', 'AccountKey=', /AccountKey=[A-Za-z0-9+/]{86}==/),
  row('Azure shared access', 'SharedAccessKey=', /SharedAccessKey=[A-Za-z0-9+/]{43}=/),
  row('Alibaba Cloud', 'LTAI', /LTAI[A-Za-z0-9]{20}/),
  row('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[a-f0-9]{64}/),
  row('Databricks', 'dapi', /dapi[a-f0-9]{32}(?:-\d)?/),
  row('HashiCorp Vault', 'hvs. hvb.', /hv[bs]\.[\w-]{90,300}/),
  row('Cloudflare', 'v1.0-', /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/),
  row('Fly.io', 'fo1_ fm2_', /fo1_[\w-]{43}|fm2_[A-Za-z0-9+/]{100,500}={0,3}/),
  row('Heroku', 'HRKU-AA', /HRKU-AA[\w-]{58}/),
  row('PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/),
  row('Pulumi', 'pul-', /pul-[a-f0-9]{40}/),
  row('Supabase', 'sbp_', /sbp_[a-f0-9]{40}/),
  row('1Password', 'ops_eyJ', /ops_eyJ[A-Za-z0-9+/]{250,1000}={0,3}/),
  row('age', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/),
];

/** Source code and packages. */
const code: readonly KeyShape[] = [
  row('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[oprsu]_[A-Za-z0-9]{36,255}/),
  row('GitHub fine-grained', 'github_pat_', /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/),
  row(
    'GitLab',
    'glpat- gldt- glrt- glsoat- glft- glimt- glagent- glcbt- glptt-',
    /gl(?:pat|dt|rt|soat|ft|imt|agent|cbt|ptt)-[\w-]{20,300}(?:\.[a-z0-9]{2}\.?[a-z0-9]{7})?/,
  ),
  row('npm', 'npm_', /npm_[A-Za-z0-9]{36}/),
  row('PyPI', 'pypi-AgEIcHlwaS5vcmc', /pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/),
  row('RubyGems', 'rubygems_', /rubygems_[a-f0-9]{48}/),
  row('Docker', 'dckr_pat_', /dckr_pat_[\w-]{27}/),
  row('Atlassian', 'ATATT3 ATCTT3', /AT[AC]TT3[\w=-]{180,200}/),
  row('Sentry', 'sntryu_', /sntryu_[a-f0-9]{64}/),
  row('Grafana', 'glsa_', /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/),
  row('New Relic', 'NRAK-', /NRAK-[A-Z0-9]{27}/),
  row('Doppler', 'dp.pt.', /dp\.pt\.[A-Za-z0-9]{43}/),
  row('Postman', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/),
  row('Linear', 'lin_api_', /lin_api_[A-Za-z0-9]{40}/),
  row('Notion', 'ntn_', /ntn_\d{11}[A-Za-z0-9]{35}/),
];

/** Messages and payments. */
const services: readonly KeyShape[] = [
  row('Slack', 'xoxb- xoxp- xoxe- xoxa- xoxr- xoxs- xoxo-', /xox[abeoprs]-[A-Za-z0-9-]{20,180}/),
  row('Slack app', 'xapp-', /xapp-\d-[A-Z0-9]{5,20}-\d{5,20}-[a-z0-9]{20,80}/),
  row('Slack webhook', 'hooks.slack.com/', /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,80}/),
  row('Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_', /[rs]k_(?:live|test)_[A-Za-z0-9]{16,247}/),
  row('Stripe webhook', 'whsec_', /whsec_[A-Za-z0-9+/]{32,64}={0,2}/),
  row('Twilio', 'SK', /SK[0-9a-f]{32}/),
  row('SendGrid', 'SG.', /SG\.[\w-]{22}\.[\w-]{43}/),
  row('Mailgun', 'key-', /key-[a-f0-9]{32}/),
  row('Brevo', 'xkeysib-', /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/),
  row('Shopify', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/),
  row('Square', 'sq0atp- sq0csp-', /sq0(?:atp|csp)-[\w-]{22,60}/),
  row('Dynatrace', 'dt0c01.', /dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/),
];

/**
 * The keys of vendors that have a recognisable form, as vendors document them and secret scanners know them:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns.
 */
export const keyShapes: readonly KeyShape[] = [...models, ...clouds, ...code, ...services];

/** The longest key of these. */
export const longestKey = 1040;
