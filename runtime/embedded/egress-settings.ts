/** The settings of a program's gateway that apply to connections to all hosts. */
export interface EgressSettings {
  readonly proxy?: string | undefined;
  readonly trustedAuthorities?: string | undefined;
}
