/** The parameters of `acuvity.scan`. */
export interface ScanParameters {
  readonly prompt_injection: boolean;
  readonly prompt_injection_threshold: number;
  readonly jail_break: boolean;
  readonly jail_break_threshold: number;
  readonly malicious_url: boolean;
  readonly malicious_url_threshold: number;
  readonly toxic: boolean;
  readonly toxic_threshold: number;
  readonly biased: boolean;
  readonly biased_threshold: number;
  readonly harmful: boolean;
  readonly harmful_threshold: number;
  readonly language: boolean;
  readonly language_values?: string;
  readonly pii: boolean;
  readonly pii_redact: boolean;
  readonly pii_categories?: readonly string[];
  readonly secrets: boolean;
  readonly secrets_redact: boolean;
  readonly secrets_categories?: readonly string[];
  readonly credentials: { readonly apiKey: string; readonly domain: string };
  readonly baseUrl?: string;
}
