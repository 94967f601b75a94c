/** Members whose values nobody may see, in any config or gateway file. */
const secretMember =
  /"(?:api_key|cloudc_access_key_id|cloudc_secret_access_key|cloudc_session_token|private_key|private_key_id|Authorization|key|password|token|secret)"\s*:\s*"((?:[^"\\\r\n]|\\.)*)"?/dgi;

const serviceAccount = /"cloudb_service_account_json"\s*:\s*(\{[^}]*\}?)/dg;

/** Credentials inside a URL. */
const userInfo = /:\/\/([^/\s"@]+)@/dg;

const reference = /^\$\{(?:env|file):[^{}]*\}$/;

/** The text with every secret replaced by dots, place for place; references are no secrets. */
export const maskSecrets = (text: string): string => {
  let masked = text;
  for (const pattern of [secretMember, serviceAccount, userInfo])
    for (const { 1: secret = '', indices } of text.matchAll(pattern)) {
      const [from, to] = indices?.[1] ?? [0, 0];
      if (reference.test(secret)) continue;
      const dots = secret.replace(/[^\r\n]/g, '•');
      masked = masked.slice(0, from) + dots + masked.slice(to);
    }
  return masked;
};
